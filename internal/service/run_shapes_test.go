package service_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"girih/internal/check/long"
	"girih/internal/service"
)

// resultShape is the shape of the result of a flavor of divide or product, by its definition.
func resultShape(op string, modes, tiles []string, dots bool) string {
	var pairs, first, second, others []string
	for i, m := range modes {
		if i >= len(tiles) {
			others = append(others, m)
			continue
		}
		a, b := tiles[i], "Rest"+m
		if strings.HasSuffix(op, "product") {
			a, b = m, tiles[i]
		}
		pairs, first, second = append(pairs, "("+a+","+b+")"), append(first, a), append(second, b)
	}
	if dots {
		others = append(others, "...")
	}
	list := func(l ...string) string { return "(" + strings.Join(l, ",") + ")" }
	switch flavor, _, _ := strings.Cut(op, "_"); flavor {
	case "logical":
		return list(append(pairs, others...)...)
	case "zipped":
		return list(list(first...), list(append(second, others...)...))
	case "tiled":
		return list(append([]string{list(first...)}, append(second, others...)...)...)
	}
	return list(append(append(first, second...), others...)...)
}

// exchange exchanges two names.
func exchange(text, a, b string) string {
	return regexp.MustCompile(`\w+`).ReplaceAllStringFunc(text, func(name string) string {
		switch name {
		case a:
			return b
		case b:
			return a
		}
		return name
	})
}

// TestShapeTables checks random tables of shapes: a row is true exactly if it is the shape of the definition, and the
// repair of a false row is that shape.
func TestShapeTables(t *testing.T) {
	t.Parallel()
	long.Alone(t)
	r := rand.New(rand.NewPCG(34, 304))
	wrong := 0
	for range 60 {
		modes := []string{"M", "N", "L", "Batch"}[:1+r.IntN(4)]
		tiles := []string{"TileM", "TN", "bl"}[:1+r.IntN(min(3, len(modes)))]
		op := []string{"logical", "zipped", "tiled", "flat"}[r.IntN(4)] + []string{"_divide", "_product"}[r.IntN(2)]
		dots := r.IntN(2) == 0
		want := resultShape(op, modes, tiles, dots)
		stated := want
		if words := strings.FieldsFunc(want, func(c rune) bool { return strings.ContainsRune("(),", c) }); r.IntN(3) > 0 {
			a, b := words[r.IntN(len(words))], words[r.IntN(len(words))]
			if a != "..." && b != "..." { // dots stay at the end of their mode
				stated = exchange(want, a, b)
			}
		}
		if r.IntN(4) == 0 {
			stated = strings.Replace(stated, "),(", ",", 1)
		}
		layout := strings.Join(modes, ", ")
		if dots {
			layout += ", ..."
		}
		tiler := strings.Join(tiles, ",")
		text := fmt.Sprintf("Layout Shape : (%s)\nTiler Shape : <%s>\n\n%s : %s\n", layout, tiler, op, stated)
		got := new(service.Session).Run(service.RunRequest{Program: text})
		switch {
		case !got.OK || got.Checked != 1:
			t.Errorf("%s%+v", text, got)
		case stated == want && (len(got.Slips) > 0 || !strings.Contains(got.Output, ": true")):
			t.Errorf("%sis true: %s", text, got.Output)
		case stated != want:
			wrong++
			isSaid := strings.Contains(got.Output, ": false")
			if !isSaid || len(got.Slips) != 1 || got.Slips[0].Computed != want || got.Slips[0].Line != 4 {
				t.Errorf("%sis false, %s: %s", text, want, got.Output)
			}
		}
	}
	if wrong < 20 {
		t.Errorf("%d rows are false", wrong)
	}
}

// TestShapeTablePlaces checks tables in the documents that have them, and rows that cannot be decided.
func TestShapeTablePlaces(t *testing.T) {
	t.Parallel()
	checkSlips(t, "tables of shapes", `
- Layout Shape : (M, N, L, ...)
- Tiler Shape  : <TileM, TileN>

The flavors:
- `+"`zipped_divide : ((TileM,TileN), (RestM,RestN,L,...))`"+` — the tile first
- `+"`zipped_divide : ((TileM,TileN), (RestN,RestM,L,...))`"+` §
- zipped_divide : ((TileM,TileN), (M/TileM,N/TileN,L,...))
- flat_divide : (TileM,TileN,RestM,RestN,L), of no further modes
- flat_divide : (TileM,TileN,RestM,RestN,L)
- flat_divide : (TileM,TileN,RestM,RestN) §
- flat_divide : (TileM,TileN,RestM,RestQ,L,...)
- flat_product : (M,N,RestM,RestN,L,...)

Layout Shape : (9, N)
Tiler Shape  : (3, 4)
flat_divide : (3,4,3,RestN)
flat_divide : (3,4,3,N) §
flat_product : (3,4,3,N)

Much
later
other
words
follow:
flat_divide : (3,4,3,N)

Layout Shape : ((M,N), L)
Tiler Shape  : <TileM>
flat_divide : (TileM,RestM,L)
`+"```python\ndef f():\n  \"\"\"\n  Layout Shape : (M)\n  Tiler Shape : <T>\n  flat_product : (M,T)\n  flat_product : (T,M) § \n  \"\"\"\n```\n"+
		"```text\nLayout Shape : (M)\nTiler Shape : <T>\ntiled_divide : ((T),(RestM)) §\n"+
		"tiled_divide : ((T),RestM)\n```\n", 11)
	for text, want := range map[string]string{
		"Layout Shape : (M, N)\nTiler Shape : <T, U, V>\nflat_divide : (T)\n":        "not checked, expected at most 5 modes",
		"Layout Shape : (M, ..., N)\nTiler Shape : <T>\nflat_divide : (T)\n":         "not checked, the modes of (M, ..., N)",
		"Layout Shape : (M)\nTiler Shape : <T>\nflat_divide : (T, ...)\n":            "not checked, the shape of the layout has no dots",
		"Layout Shape : (M)\nTiler Shape : (T)\nflat_product : (M,T)\n":              "not checked, (..) is a layout",
		"Layout Shape : (9)\nTiler Shape : <2>\nflat_divide : (2,4)\n":               "not checked, expected shapes that have values",
		"Layout Shape : (M)\nTiler Shape : <T>\nflat_divide : (T,f(M))\n":            "not checked, expected shapes that have values",
		"Layout Shape : (M)\nTiler Shape : <T>\nflat_divide : (T,ceil_div(M,T))\n":   "true for 4 choices",
		"Layout Shape : (A,B,C,D,E)\nTiler Shape : <a,b,c,d,e>\nflat_divide : (a)\n": "false, the shape is (a,b,c,d,e,RestA,RestB,RestC,RestD,RestE)",
	} {
		if r := new(service.Session).Run(service.RunRequest{Program: text}); !r.OK || !strings.Contains(r.Output, want) {
			t.Errorf("%s%s%v, want %s", text, r.Output, r.Error, want)
		}
	}
	const table = "Layout Shape : (M)\nTiler Shape : <T>\nflat_divide : (T,RestM)\nflat_divide : (M)\n"
	page := new(service.Session).Page(service.PageRequest{Text: table})
	const shown = "0.3 prints \"flat_divide : true for 4 choices of extents, such as flat_divide((6),<2>) with the shape (2,3)\\n\" agrees\n" +
		"0.4 slip (M)\n"
	if got := pageText(page); got != shown {
		t.Errorf("the page shows\n%s", got)
	}
}
