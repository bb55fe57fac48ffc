// Package term writes a [draw.Scene] as text for terminals and logs: box drawing characters for strokes, background
// colors for fills, text in its place, and braille dots for slanted lines and curves.
//
// # How a picture becomes text
//
// A terminal has no points; what matters is which things are next to each other. The package keeps the order of all
// edges and texts, not their distances. It collects the distinct x coordinates of rectangles, lines and texts, and
// gives each interval as many columns as its texts need, and each edge with a stroke its own column. It does the same
// for y and rows. So no text of a cell is cut or overlapped, cells of one column of the picture form one column of
// text, and a grid of 8 by 8 numbers needs 24 columns, not 80.
//
// # Colors
//
// With colors, the thin borders of filled cells are omitted, because their fills distinguish them; thicker borders
// remain ([Options].Grid keeps all). Text and strokes outside of fills get a lightness that is readable on black and
// on white, and greys become the terminal's own color, because the user chooses the background. Without colors every
// border is drawn, and a filled cell without text is shaded by the distance of its fill from the paper.
//
// # Parts
//
// Parts of a picture that do not line up, such as a row of bits above two grids or a wide grid next to a tall one,
// have their own axes, so that the cells of each part have equal sizes. Bands above each other share their columns,
// and panels side by side their rows, only if two thirds of their edges coincide. A wire between panels blends from
// the rows of one panel to the rows of the other.
//
// # Texts
//
// Texts that would overlap get separate rows. Labels that run upward above their columns become horizontal if the
// picture is then not wider than the terminal (200 columns if the width is unknown), or less than a third wider;
// otherwise they are written downward, one letter per row. Without colors, if there are more than 24 rules between
// rows of one-line cells, those that are not thick are omitted.
//
// # Limits
//
// A picture has at most [MaxCells] characters; the rest is cut, and the last line says how much is shown. A character
// that is not printable is shown as U+FFFD, and a wide one (CJK, emoji) occupies two columns. The time grows with the
// number of shapes and with the area that they paint. Parts that are joined by an arrow from one band to another
// share the edges of both.
package term
