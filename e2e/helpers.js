// How the tests observe a page. Nothing here changes the page's behaviour; requests and paints are counted.
(() => {
  "use strict";
  let waiting = 0; // requests without an answer yet
  let paints = 0; // draws of a grid
  let quiet = -1; // the first frame since which nothing has happened
  let frame = 0;
  const fetched = window.fetch;
  window.fetch = (...args) => {
    waiting++;
    quiet = -1;
    const answer = fetched(...args);
    const done = () => { waiting--; quiet = -1; };
    answer.then((r) => r.clone().text().then(done, done), done);
    return answer;
  };
  const draw = CanvasRenderingContext2D.prototype.drawImage;
  CanvasRenderingContext2D.prototype.drawImage = function (...args) {
    paints++;
    quiet = -1;
    T.lastPaint = performance.now();
    T.firstPaint ??= T.lastPaint;
    return draw.apply(this, args);
  };
  const tick = () => { frame++; if (quiet < 0) quiet = frame; requestAnimationFrame(tick); };
  requestAnimationFrame(tick);

  const shown = (e) => e.getClientRects().length > 0;
  const words = (e) => (e.innerText ?? "").replace(/\s+/g, " ").trim();

  const T = {
    firstPaint: undefined,
    lastPaint: 0,
    paints: () => paints,
    stir: () => { quiet = -1; }, // earlier quiet does not count
    settled: () => waiting === 0 && quiet >= 0 && frame - quiet >= 3,
    button: (name) => {
      const all = [...document.querySelectorAll("button, summary, [role=tab]")].filter(shown);
      return all.find((e) => words(e) === name || e.getAttribute("aria-label") === name) ?? all.find((e) => words(e).includes(name));
    },
    control: (label) => {
      const of = [...document.querySelectorAll("label")].filter(shown);
      const l = of.find((e) => words(e).startsWith(label));
      return l && (l.control ?? l.querySelector("input, select, textarea"));
    },
    choose: (selector, value) => {
      const e = typeof selector === "string" ? document.querySelector(selector) : selector;
      e.value = value;
      if (e.value !== value) throw new Error("there is no option " + value);
      e.dispatchEvent(new Event("input", { bubbles: true }));
      e.dispatchEvent(new Event("change", { bubbles: true }));
    },
    middle: (e) => {
      e.scrollIntoView({ block: "center", inline: "center" });
      const r = e.getBoundingClientRect();
      return { X: r.left + r.width / 2, Y: r.top + r.height / 2 };
    },
    // The extent of the grid of a canvas, from its accessible name, and the places of its cells.
    grid: (selector) => {
      const c = document.querySelector(selector);
      const m = /(\d+) rows, (\d+) columns/.exec(c.getAttribute("aria-label"));
      return { canvas: c, rows: Number(m[1]), cols: Number(m[2]) };
    },
    fit: (selector) => {
      const g = T.grid(selector);
      const [x, y, width, height] = g.canvas.dataset.cells.split(" ").map(Number);
      return { ...g, x, y, width, height };
    },
    // The middle of a cell on the screen.
    cell: (selector, row, col) => {
      document.querySelector(selector).scrollIntoView({ block: "center" });
      const f = T.fit(selector);
      const r = f.canvas.getBoundingClientRect();
      return { X: r.left + f.x + (col + 0.5) * f.width, Y: r.top + f.y + (row + 0.5) * f.height };
    },
    // The cell with a frame in the accent color, or null, also before the canvas is drawn.
    framed: (selector) => {
      if (!document.querySelector(selector)?.dataset.cells) return null;
      const f = T.fit(selector);
      const c = f.canvas;
      const hex = getComputedStyle(c).getPropertyValue("--accent").trim();
      const want = [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));
      const copy = new OffscreenCanvas(c.width, c.height).getContext("2d", { willReadFrequently: true });
      copy.drawImage(c, 0, 0);
      const data = copy.getImageData(0, 0, c.width, c.height).data;
      let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
      for (let k = 0; k < data.length; k += 4) {
        if (Math.abs(data[k] - want[0]) + Math.abs(data[k + 1] - want[1]) + Math.abs(data[k + 2] - want[2]) > 6) continue;
        const x = (k / 4) % c.width;
        const y = Math.floor(k / 4 / c.width);
        x0 = Math.min(x0, x); x1 = Math.max(x1, x); y0 = Math.min(y0, y); y1 = Math.max(y1, y);
      }
      if (x1 < x0) return null;
      const ratio = c.width / c.clientWidth;
      return [Math.floor(((y0 + y1) / 2 / ratio - f.y) / f.height), Math.floor(((x0 + x1) / 2 / ratio - f.x) / f.width)];
    },
    // The cell that is lit while others are pale: the one whose fill differs most from the paper.
    brightest: (selector) => {
      const f = T.fit(selector);
      const c = f.canvas;
      const copy = new OffscreenCanvas(c.width, c.height).getContext("2d", { willReadFrequently: true });
      copy.drawImage(c, 0, 0);
      const ratio = c.width / c.clientWidth;
      let best = null;
      let most = -1;
      for (let r = 0; r < f.rows; r++) {
        for (let k = 0; k < f.cols; k++) {
          // A corner of the cell without label and frame.
          const [red, green, blue, alpha] = copy.getImageData((f.x + (k + 0.12) * f.width) * ratio, (f.y + (r + 0.85) * f.height) * ratio, 1, 1).data;
          const far = alpha * (1 + (Math.max(red, green, blue) - Math.min(red, green, blue)) / 255);
          if (far > most) { most = far; best = [r, k]; }
        }
      }
      return best;
    },
    // The cells that are lit, row by row; none if all are.
    lit: (selector) => {
      const f = T.fit(selector);
      const c = f.canvas;
      const copy = new OffscreenCanvas(c.width, c.height).getContext("2d", { willReadFrequently: true });
      copy.drawImage(c, 0, 0);
      const ratio = c.width / c.clientWidth;
      const out = [];
      for (let r = 0; r < f.rows; r++) {
        for (let k = 0; k < f.cols; k++) {
          const [, , , alpha] = copy.getImageData((f.x + (k + 0.15) * f.width) * ratio, (f.y + (r + 0.82) * f.height) * ratio, 1, 1).data;
          if (alpha > 250) out.push([r, k]);
        }
      }
      return out.length === f.rows * f.cols ? [] : out;
    },
    // Whether cells are pale, as all are except the lit one.
    pale: (selector) => {
      const f = T.fit(selector);
      const c = f.canvas;
      const copy = new OffscreenCanvas(c.width, c.height).getContext("2d", { willReadFrequently: true });
      copy.drawImage(c, 0, 0);
      const ratio = c.width / c.clientWidth;
      for (let r = 0; r < f.rows; r++) {
        for (let k = 0; k < f.cols; k++) {
          if (copy.getImageData((f.x + (k + 0.15) * f.width) * ratio, (f.y + (r + 0.82) * f.height) * ratio, 1, 1).data[3] <= 250) return true;
        }
      }
      return false;
    },
    // What is wrong with the canvases below an element: each must show more than one color.
    blank: (selector) => [...document.querySelectorAll(selector + " canvas")].filter(shown).filter((c) => {
      const data = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
      const seen = new Set();
      for (let k = 0; k < data.length && seen.size < 3; k += 4 * 7) seen.add(data[k] << 24 | data[k + 1] << 16 | data[k + 2] << 8 | data[k + 3]);
      return seen.size < 3;
    }).map((c) => c.getAttribute("aria-label")),
    // The inspector as an object.
    inspector: () => {
      const out = {};
      for (const tr of document.querySelectorAll(".both tbody tr")) out[tr.cells[0].textContent] = tr.cells[2].textContent;
      for (const dt of document.querySelectorAll(".inspector dt")) if (dt.textContent) out[dt.textContent] = dt.nextElementSibling.textContent;
      return out;
    },
    said: (selector) => document.querySelector(selector).parentElement.querySelector("[aria-live]").textContent,
    // The values of all controls, in order.
    controls: () => [...document.querySelectorAll("main input, main select, main textarea, main [role=radio], main [aria-pressed], main [role=tab]")].map((e) => {
      if (e.matches("input[type=checkbox]")) return e.checked;
      return e.matches("input, select, textarea") ? e.value : words(e) + " " + (e.getAttribute("aria-checked") ?? e.getAttribute("aria-pressed") ?? e.getAttribute("aria-selected"));
    }),
    // The elements that extend beyond the right edge of the page, except inside boxes that scroll.
    wide: () => {
      const w = document.documentElement.clientWidth;
      const over = [...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > w + 1 && shown(e) && !inScroller(e));
      return { scroll: document.documentElement.scrollWidth, client: w, over: over.slice(0, 5).map((e) => e.tagName + "." + e.className + " " + words(e).slice(0, 40)) };
    },
  };
  const inScroller = (e) => {
    for (let x = e.parentElement; x && x !== document.body; x = x.parentElement) if (getComputedStyle(x).overflowX !== "visible") return true;
    return false;
  };
  Object.defineProperty(window, "girihTest", { value: T });
})();
