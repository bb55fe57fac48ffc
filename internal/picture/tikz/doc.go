// Package tikz writes a [draw.Scene] as a LaTeX document with one TikZ picture, in the look of CUTLASS's print_latex:
// a standalone page, filled cells, typewriter text.
//
// The document needs a stock pdflatex with the standalone class and TikZ (TeX Live: texlive-latex-extra and
// texlive-pictures; no shell escape, no Unicode engine). It is meant to be edited: coordinates are the points of the
// scene, colors have names, and each style of the scene is a TikZ style, so that one line changes all cells of a kind.
//
// # Limits
//
// Text is ASCII, the letters of Latin-1 and the mathematical characters of [draw]'s pictures; any other character is
// written as its number, U+2603, since pdflatex would refuse it. A picture larger than TeX's largest dimension is
// scaled down to [MaxSize]. TeX keeps a page in its memory, 5,000,000 words by default in TeX Live, of which the
// packages take 1.9 million and a cell with two lines of text about 280: 128 by 64 such cells compile, in 4 seconds;
// 128 by 128 need a larger main_memory or lualatex.
package tikz
