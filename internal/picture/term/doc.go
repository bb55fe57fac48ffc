// Package term writes a [draw.Scene] as text for terminals and logs: box drawing characters for strokes, background
// colors for fills, text in its place, dots of braille for slanted lines and curves.
//
// # How a picture becomes text
//
// A terminal has no points: what matters is what is beside what. The package keeps the order of all edges and texts,
// not their distances. It collects the distinct x of rectangles, lines and texts, allots between successive ones as
// many columns as the texts between them need, gives an edge a column of its own where a stroke runs along it, and does
// the same for y and rows. So no text of a cell is ever cut or overlapped, cells of one column of the picture stay one
// column of text, and a grid of 8 by 8 numbers takes 24 columns, not 80.
//
// # Colors
//
// With colors on, the thin borders of filled cells are left out, since their fills tell them apart; borders that are
// thicker stay ([Options].Grid keeps all). The colors of text and strokes on no fill are moved to a lightness that
// reads on black and on white, and greys become the terminal's own color, since what lies below them is the user's
// choice. Without colors every border is drawn, and a filled cell without text is shaded by how far its fill is from
// the paper.
//
// # Parts
//
// Parts of a picture that do not line up, a row of bits above two grids or a wide grid beside a high one, have axes of
// their own, so that the cells of each are of one width and height: bands above each other share their columns, and
// panels side by side their rows, only if two thirds of their edges coincide. A wire between panels goes over from the
// rows of one to those of the other.
//
// # Texts
//
// Texts that would overlap get separate rows. Labels that run upward above their columns lie if the picture is then no
// wider than the terminal (200 columns where it has no width) or not a third wider; else they are written downward, one
// letter a row. Without colors, more than 24 rules between rows of cells with one line of text are left out, unless
// they are thick.
//
// # Limits
//
// A picture has at most [MaxCells] characters; what is beyond is cut, and the last line says how much is shown. A
// character that is not printable is shown as U+FFFD, a wide one (CJK, emoji) takes two columns. The time grows with
// the number of shapes and with the area that they paint. Parts that are joined by an arrow from one above to one below
// share the edges of both.
package term
