"""Draws a notebook after a kernel has run it, as JupyterLab shows it: docs/python/tour.svg."""

import io
import keyword
import re
import tokenize
from html import escape

WIDTH, PROMPT, LINE, CHAR = 900, 66, 18, 7.83  # pixels; the font has 13
COLORS = {"code": "#202124", "prompt": "#307fc1", "error": "#b3261e", "keyword": "#008000", "string": "#ba2121",
          "number": "#087f23", "comment": "#5f7f7f", "operator": "#a626c9"}  # fmt: skip


def picture(notebook):
    """The notebook as SVG. Each kind of output has its form: a picture, a text, an error."""
    parts, y = [], 16
    for cell in notebook.cells:
        lines = cell.source.split("\n")
        assert max(map(len, lines)) * CHAR < WIDTH - PROMPT - 32, "a line of a cell is wider than the picture"
        height = LINE * len(lines) + 12
        parts.append(f'<rect x="{PROMPT}" y="{y}" width="{WIDTH - PROMPT - 16}" height="{height}" rx="2" fill="#f7f8fa" stroke="#dadce0"/>')
        parts.append(_text(PROMPT - 8, y + 19, f"[{cell.execution_count}]:", "prompt", ' text-anchor="end"'))
        parts += [_line(y + 19 + LINE * i, tokens) for i, tokens in enumerate(_highlighted(cell.source))]
        y += height + 8
        for output in cell.outputs:
            drawn, height = _output(output, y)
            parts += drawn
            y += height + 8
        y += 6
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y}" viewBox="0 0 {WIDTH} {y}" role="img" aria-label="a notebook">'
    style = 'font-family="DejaVu Sans Mono,Menlo,Consolas,monospace" font-size="13"'
    frame = f'<rect x=".5" y=".5" width="{WIDTH - 1}" height="{y - 1}" rx="6" fill="#ffffff" stroke="#dadce0"/>'
    return "\n".join([head, frame, f'<g {style} xml:space="preserve">', *parts, "</g>", "</svg>", ""])


def _output(output, y):
    """An output, and its height."""
    if output.output_type == "error":
        lines = re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(output.traceback)).split("\n")
        lines = [part for line in lines for part in _wrapped(line)]
        height = LINE * len(lines) + 10
        box = f'<rect x="{PROMPT}" y="{y}" width="{WIDTH - PROMPT - 16}" height="{height}" fill="#fdecea"/>'
        return [box] + [_text(PROMPT + 8, y + 18 + LINE * i, line, "error") for i, line in enumerate(lines)], height
    if "image/svg+xml" in output.data:
        svg = output.data["image/svg+xml"].strip()
        height = float(re.search(r' height="([0-9.]+)"', svg)[1])
        return [svg.replace("<svg ", f'<svg x="{PROMPT - 8}" y="{y}" ', 1)], round(height)
    lines = [part for line in output.data["text/plain"].split("\n") for part in _wrapped(line)]
    return [_text(PROMPT + 8, y + 14 + LINE * i, line, "code") for i, line in enumerate(lines)], LINE * len(lines) + 4


def _wrapped(line):
    most = int((WIDTH - PROMPT - 32) / CHAR)
    while len(line) > most:
        at = line.rfind(" ", 0, most)
        yield line[:at]
        line = "    " + line[at + 1 :]
    yield line


def _text(x, y, text, kind, more=""):
    return f'<text x="{x}" y="{y}" fill="{COLORS[kind]}"{more}>{_spaced(text)}</text>'


def _line(y, tokens):
    spans = "".join(f'<tspan fill="{COLORS[kind]}">{_spaced(text)}</tspan>' for kind, text in tokens)
    return f'<text x="{PROMPT + 8}" y="{y}">{spans}</text>'


def _spaced(text):
    return escape(text, quote=False).replace(" ", "\u00a0")


def _highlighted(source):
    """The lines of a cell as lists of (kind, text)."""
    lines = [[] for _ in source.split("\n")]
    ends = [0] * len(lines)
    for t in tokenize.generate_tokens(io.StringIO(source).readline):
        (row, begin), (_, end) = t.start, t.end
        if not t.string.strip():
            continue
        kind = {tokenize.STRING: "string", tokenize.NUMBER: "number", tokenize.COMMENT: "comment", tokenize.OP: "code"}.get(t.type, "code")
        if keyword.iskeyword(t.string):
            kind = "keyword"
        elif t.type == tokenize.OP and t.string not in "()[]{},.:":
            kind = "operator"
        lines[row - 1].append((kind, " " * (begin - ends[row - 1]) + t.string))
        ends[row - 1] = end
    return lines
