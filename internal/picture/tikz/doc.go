// Package tikz writes a [draw.Scene] as a LaTeX document with one TikZ picture, in the look of CUTLASS's print_latex:
// a standalone page, filled cells, typewriter text.
//
// The document needs a stock pdflatex with the standalone class and TikZ (TeX Live: texlive-latex-extra and
// texlive-pictures), without shell escape or a Unicode engine. It is meant to be edited: coordinates are the points
// of the scene, colors have names, and each style of the scene is a TikZ style, so that one line changes all cells of
// a kind.
//
// # Limits
//
// Text is ASCII, the letters of Latin-1 and the mathematical characters of girih's pictures. Any other character is
// written as its number, such as U+2603, because pdflatex would reject it. A picture larger than TeX's largest
// dimension is scaled down to [MaxSize]. TeX keeps a page in memory: 5,000,000 words by default in TeX Live. The
// packages need 1.9 million of them, and a cell with two lines of text about 280. So 128 by 64 such cells compile, in
// 4 seconds, and 128 by 128 need a larger main_memory or lualatex.
package tikz
