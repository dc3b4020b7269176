/** Elements from plain calls, and one way to bring a drawn tree up to date. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element: `h("p", {class: "big"}, "words", child)`. Handlers are `onclick: fn`.
 * A button sends no form unless it says so.
 */
export function h(tag, props, ...children) {
  const given = tag === "button" ? { type: "button", ...props } : props;
  return fill(document.createElement(tag), given, children);
}

/** The same for SVG. */
export const s = (tag, props, ...children) => fill(document.createElementNS(SVG, tag), props, children);

function fill(node, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return node;
}

/**
 * Give `node` this content, changing only what differs: focus, scroll and running motion stay.
 * Children with a `data-key` are kept together with their key.
 */
export function show(node, ...content) {
  const wanted = document.createDocumentFragment();
  wanted.append(...content.flat(Infinity).filter(Boolean));
  matchChildren(node, [...wanted.childNodes]);
}

function matchChildren(node, wanted) {
  const keyed = new Map();
  for (const child of node.childNodes) if (child.dataset?.key) keyed.set(child.dataset.key, child);
  wanted.forEach((fresh, index) => {
    const here = node.childNodes[index];
    const known = fresh.dataset?.key ? keyed.get(fresh.dataset.key) : here;
    if (known && isLike(known, fresh)) {
      if (known !== here) node.insertBefore(known, here ?? null);
      match(known, fresh);
    } else {
      node.insertBefore(fresh, here ?? null);
    }
  });
  while (node.childNodes.length > wanted.length) node.lastChild.remove();
}

function isLike(one, other) {
  return one.nodeName === other.nodeName && one.dataset?.key === other.dataset?.key;
}

const HANDLERS = ["onclick", "onsubmit", "onchange", "oninput", "onkeydown", "onfocus", "onload", "onerror"];

function match(known, fresh) {
  if (known.nodeType === Node.TEXT_NODE) {
    if (known.data !== fresh.data) known.data = fresh.data;
    return;
  }
  for (const { name } of [...known.attributes]) if (!fresh.hasAttribute(name)) known.removeAttribute(name);
  for (const { name, value } of fresh.attributes)
    if (known.getAttribute(name) !== value) known.setAttribute(name, value);
  for (const name of HANDLERS) if (known[name] !== fresh[name]) known[name] = fresh[name];
  if ("checked" in known) known.checked = fresh.hasAttribute("checked");
  matchChildren(known, [...fresh.childNodes]);
}
