/** A picture of the final table with the result, to share. */

import { drawTable } from "./table.js";

const WIDTH = 1600;
const FELT = "#2c4640"; // pictures are light, whatever this phone prefers
const STYLE = ["base.css", "table.css"];

/** A PNG: the table as the page draws it, under a line that says who won, over everybody's sum. */
export async function picture(story, headline) {
  const last = story.moments.at(-1);
  const table = drawTable(
    story.board,
    story.players,
    { cards: last.cards, stacks: last.stacks },
    Object.keys(story.board.tiles).length,
  );
  const [, , width, height] = table.getAttribute("viewBox").split(" ").map(Number);
  const tableHeight = Math.round(((WIDTH - 80) * height) / width);
  const image = await asImage(table, WIDTH - 80, tableHeight);
  const canvas = Object.assign(document.createElement("canvas"), { width: WIDTH, height: tableHeight + 300 });
  const pen = canvas.getContext("2d");
  pen.fillStyle = FELT;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = "#f6efdf";
  pen.font = "600 60px Georgia, serif";
  pen.textAlign = "center";
  pen.fillText(headline, WIDTH / 2, 105, WIDTH - 100);
  pen.drawImage(image, 40, 160, WIDTH - 80, tableHeight);
  const order = [...story.score.players].sort((a, b) => a.place - b.place || a.player - b.player);
  pen.font = "40px Georgia, serif";
  pen.fillText(
    order.map(({ place, name, points }) => `${place}. ${name} ${points}`).join("     "),
    WIDTH / 2,
    tableHeight + 240,
    WIDTH - 100,
  );
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/** An SVG with the page's own style inside it, because a picture cannot reach the page's. */
async function asImage(svg, width, height) {
  const styles = await Promise.all(STYLE.map(async (name) => (await fetch(`/page/${name}`)).text()));
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = `${styles.join("\n")} * { animation: none !important; }`;
  svg.dataset.theme = "light";
  svg.prepend(style);
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const image = new Image(width, height);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
  await image.decode();
  return image;
}
