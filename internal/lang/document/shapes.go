package document

import (
	"strings"

	"girih/internal/lang/program"
	"girih/internal/pattern"
)

// This file finds tables of shapes, as CuTe's documentation has them for the flavors of divide and product:
//
//	Layout Shape : (M, N, L, ...)
//	Tiler Shape  : <TileM, TileN>
//
//	logical_divide : ((TileM,RestM), (TileN,RestN), L, ...)
//	zipped_divide  : ((TileM,TileN), (RestM,RestN,L,...))
//
// Such a table may be code of its own, and may be in a comment, in a docstring, or in a list of prose.

// maxTableGap is the largest distance, in lines, between two successive rows of a table.
const maxTableGap = 6

const (
	tableMark = "^[\\s*+•#/-]*`*"
	shapeHead = pattern.Pattern("(?i)" + tableMark + "(layout|tiler) shape\\s*[:=]\\s*([(<][\\w\\s,.…()]*[)>])`*\\s*$")
	shapeRow  = pattern.Pattern(tableMark + "((?:logical|zipped|tiled|flat)_(?:divide|product))\\s*(?:[:=]|=>|->)\\s*" +
		"(\\([\\w\\s,.…()/*]*\\))`*\\s*(?:(?:—|–|--?|#|//|:)\\s.*)?$")
)

// A ShapeTable reads a table of shapes line by line. The zero ShapeTable is ready to use.
type ShapeTable struct {
	layout, tiler string
	heads         []int // the lines of both
	last          int   // the line of the table that was read last
}

// Read reads a line. If it is a row, Read returns what it states: an operation, the shapes of its operands, and the
// shape of its result.
func (t *ShapeTable) Read(l string, number int) (row Claim, ok bool) {
	l = strings.TrimSpace(l)
	if number > t.last+maxTableGap {
		*t = ShapeTable{}
	}
	if m := shapeHead.FindStringSubmatch(l); m != nil {
		if strings.EqualFold(m[1], "layout") {
			*t = ShapeTable{layout: m[2]}
		} else {
			t.tiler = m[2]
		}
		t.heads, t.last = append(t.heads, number), number
		return Claim{}, false
	}
	m := shapeRow.FindStringSubmatch(l)
	if m == nil || t.layout == "" || t.tiler == "" {
		return Claim{}, false
	}
	t.last = number
	return Claim{Line: number, Of: m[1], Text: m[2], Layout: t.layout, Tiler: t.tiler}, true
}

// hasShapes reports whether a text has a table of shapes.
func hasShapes(src string) bool {
	var t ShapeTable
	number := 0
	for l := range strings.Lines(src) {
		number++
		if _, ok := t.Read(l, number); ok {
			return true
		}
	}
	return false
}

// isShapeLine reports whether a line may be one of a table of shapes.
func isShapeLine(l string) bool { return shapeHead.MatchString(l) || shapeRow.MatchString(l) }

// shapes reads the tables of shapes of a cell, and blanks the lines that are in no comment and in no text.
func (r *claimReader) shapes() {
	var t ShapeTable
	inText := false
	for i, l := range r.lines {
		if row, ok := t.Read(l, i+1); ok {
			r.claims = append(r.claims, row)
			if code, _ := cutComment(l, r.c.Lang); !inText && strings.TrimSpace(code) != "" && !isComment(l, r.c.Lang) {
				for _, k := range append(t.heads, i+1) {
					r.lines[k-1] = blankLine(r.lines[k-1])
				}
			}
		}
		inText = inText != endsWithin(l)
	}
}

// isComment reports whether a line continues a comment of C++.
func isComment(l string, lang program.Language) bool {
	return lang == program.Cpp && strings.HasPrefix(strings.TrimSpace(l), "*")
}
