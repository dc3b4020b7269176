"""QR codes, for the terminal and for the page."""

QUIET = 2
"""Light modules that OpenCV leaves on each side; a code needs four, we add the others."""


def qr_modules(text: str) -> list[list[bool]]:
    """The code's squares, True for dark, with the light margin that scanners need."""
    import cv2  # only here: whoever shows no code needs no OpenCV

    code = cv2.QRCodeEncoder.create().encode(text)
    dark = [[bool(value == 0) for value in row] for row in code.tolist()]
    width = len(dark[0]) + 2 * QUIET
    side, edge = [False] * QUIET, [[False] * width for _ in range(QUIET)]
    return [*edge, *([*side, *row, *side] for row in dark), *edge]


def qr_svg(text: str) -> str:
    """A picture of any size."""
    modules = qr_modules(text)
    size = len(modules)
    path = "".join(
        f"M{x} {y}h1v1h-1z" for y, row in enumerate(modules) for x, dark in enumerate(row) if dark
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" '
        f'shape-rendering="crispEdges"><path fill="#fff" d="M0 0h{size}v{size}H0z"/>'
        f'<path d="{path}"/></svg>'
    )


def qr_text(text: str) -> str:
    """Two squares a character, light on dark as most terminals are."""
    modules = qr_modules(text)
    if len(modules) % 2:
        modules = [*modules, [False] * len(modules[0])]
    blocks = {(True, True): " ", (True, False): "▄", (False, True): "▀", (False, False): "█"}
    return "\n".join(
        "".join(blocks[pair] for pair in zip(upper, lower, strict=True))
        for upper, lower in zip(modules[::2], modules[1::2], strict=True)
    )
