package service_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"girih/internal/service"
)

// cuteGrids returns what CuTe's print_layout wrote, grid by grid, without the underscores of static integers.
func cuteGrids(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile("../../conformance/cute/print_layout.txt")
	if err != nil {
		t.Fatal(err)
	}
	var grids []string
	for line := range strings.Lines(string(data)) {
		if c := line[0]; c != ' ' {
			grids = append(grids, strings.ReplaceAll(line, "_", ""))
			continue
		}
		grids[len(grids)-1] += line
	}
	return grids
}

func TestGridIsCuTes(t *testing.T) {
	t.Parallel()
	grids := cuteGrids(t)
	if len(grids) != 4 {
		t.Fatalf("%d grids, want 4", len(grids))
	}
	for _, want := range grids {
		expr, _, _ := strings.Cut(want, "\n")
		t.Run(expr, func(t *testing.T) {
			t.Parallel()
			var s service.Session
			r := s.Grid(service.GridRequest{Expr: expr})
			if !r.OK || r.Value != expr || r.Text != want {
				t.Errorf("Grid = %+v\n%s, want\n%s", r, r.Text, want)
			}
		})
	}
}

func TestGrid(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, expr string
		coords     bool
		want       string
	}{
		{"rank 1 is one column", "3:2", false, `
3:2
      0 
    +---+
 0  | 0 |
    +---+
 1  | 2 |
    +---+
 2  | 4 |
    +---+
`},
		{"rank 0 has one cell", "make_layout((), ())", false, `
():()
      0 
    +---+
 0  | 0 |
    +---+
`},
		{"shape", "(2,2)", false, `
(2,2):(1,2)
      0   1 
    +---+---+
 0  | 0 | 2 |
    +---+---+
 1  | 1 | 3 |
    +---+---+
`},
		{"negative numbers widen the cells", "(2,2):(-4,1)", false, `
(2,2):(-4,1)
       0    1 
    +----+----+
 0  |  0 |  1 |
    +----+----+
 1  | -4 | -3 |
    +----+----+
`},
		{"offsets above the cosize widen the cells", "Sw<1,0,1> o 8 o (2,2):(1,2)", false, `
Sw<1,0,1> o 8 o (2,2):(1,2)
       0    1 
    +----+----+
 0  |  8 | 11 |
    +----+----+
 1  |  9 | 10 |
    +----+----+
`},
		{"width of the cosize, as in CuTe", "(2,2):(1,98)", false, `
(2,2):(1,98)
        0     1 
    +-----+-----+
 0  |   0 |  98 |
    +-----+-----+
 1  |   1 |  99 |
    +-----+-----+
`},
		{"nested coordinates", "((2,2),2):((1,4),2)", true, `
((2,2),2):((1,4),2)
         0   1 
       +---+---+
(0,0)  | 0 | 2 |
       +---+---+
(1,0)  | 1 | 3 |
       +---+---+
(0,1)  | 4 | 6 |
       +---+---+
(1,1)  | 5 | 7 |
       +---+---+
`},
		{"coordinates as offsets", "(2,2):(1@0,1@1)", false, `
(2,2):(1@0,1@1)
          0       1 
    +-------+-------+
 0  | (0,0) | (0,1) |
    +-------+-------+
 1  | (1,0) | (1,1) |
    +-------+-------+
`},
		{"rank 3", "(1,2,2):(0,1,2)", false, `
(1,2,2):(0,1,2)
(_,_,0)
      0   1 
    +---+---+
 0  | 0 | 1 |
    +---+---+
(_,_,1)
      0   1 
    +---+---+
 0  | 2 | 3 |
    +---+---+
`},
		{"rank 4, nested", "(1,1,(1,2),2):(0,0,(0,1),2)", true, `
(1,1,(1,2),2):(0,0,(0,1),2)
(_,_,(0,0),0)
      0 
    +---+
 0  | 0 |
    +---+
(_,_,(0,1),0)
      0 
    +---+
 0  | 1 |
    +---+
(_,_,(0,0),1)
      0 
    +---+
 0  | 2 |
    +---+
(_,_,(0,1),1)
      0 
    +---+
 0  | 3 |
    +---+
`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var s service.Session
			r := s.Grid(service.GridRequest{Expr: test.expr, Coords: test.coords})
			if want := strings.TrimPrefix(test.want, "\n"); r.Text != want {
				t.Errorf("Grid(%q) = %v\n%s, want\n%s", test.expr, r.Error, r.Text, want)
			}
		})
	}
}

// TestGridLinesUp checks that a grid is a rectangle, even if labels have three digits.
func TestGridLinesUp(t *testing.T) {
	t.Parallel()
	var s service.Session
	r := s.Grid(service.GridRequest{Expr: "(120,110):(1,0)"})
	lines := strings.Split(strings.TrimSuffix(r.Text, "\n"), "\n")
	if want := 1 + 1 + 2*120 + 1; len(lines) != want {
		t.Fatalf("%d lines, want %d", len(lines), want)
	}
	for i, line := range lines[1:] {
		if want := 3 + 2 + 110*6 + 1; len(line) != want && (i > 0 || len(line) != want-1) {
			t.Errorf("line %d has %d columns, want %d", i+1, len(line), want)
		}
	}
}

func TestGridRefuses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		expr, code, message, hint string
	}{
		{"", "syntax", "found nothing", ""},
		{"(4,", "syntax", "", ""},
		{"Sw<3,4,3>", "type", "found a value of kind swizzle: Sw<3,4,3>", "Sw<3,4,3> o 0 o (8,8):(8,1)"},
		{"true", "type", "kind bool", ""},
		{"(256,257):(1,256)", "limit", "65792 elements, a grid shows at most 65536", "get(zipped_divide((256,257):(1,256), <16,16>), 0)"},
		{"65537:1", "limit", "65537 elements", "get(zipped_divide(65537:1, <16>), 0)"},
		{"(2,2,5,13)", "limit", "65 grids of 2 by 2", "((2,2,5,13):(1,2,4,20))(_,_,0,0)"},
	} {
		t.Run(test.expr, func(t *testing.T) {
			t.Parallel()
			var s service.Session
			r := s.Grid(service.GridRequest{Expr: test.expr})
			if r.OK || r.Text != "" || r.Error == nil {
				t.Fatalf("Grid = %+v, want an error", r)
			}
			e := r.Error
			if e.Code != test.code || !strings.Contains(e.Message, test.message) || !strings.Contains(e.Hint, test.hint) {
				t.Errorf("error = %s: %s (%s), want %s: ...%s... (%s)",
					e.Code, e.Message, e.Hint, test.code, test.message, test.hint)
			}
		})
	}
}

// TestGridHintsWork draws what the hints of refused layouts say.
func TestGridHintsWork(t *testing.T) {
	t.Parallel()
	for _, expr := range []string{"(512,512):(512,1)", "65537:1", "(2,2,65)", "Sw<3,4,3>", "(300,300,2)", "(2,2,(8,9),3)"} {
		var s service.Session
		hint := s.Grid(service.GridRequest{Expr: expr}).Error.Hint
		_, try, ok := strings.Cut(hint, "as in ")
		if !ok {
			_, try, _ = strings.Cut(hint, ": ")
		}
		if r := s.Grid(service.GridRequest{Expr: try}); !r.OK {
			t.Errorf("the hint for %s, %q, gives %s", expr, hint, r.Error.Line())
		}
	}
}

func TestGridLimitsAreReachable(t *testing.T) {
	t.Parallel()
	for _, expr := range []string{"(256,256)", "(32,32,64)", "65536:1", "(1,65536)"} {
		var s service.Session
		if r := s.Grid(service.GridRequest{Expr: expr}); !r.OK {
			t.Errorf("Grid(%s) = %s", expr, r.Error.Line())
		}
	}
}

func ExampleSession_Grid() {
	var s service.Session
	r := s.Grid(service.GridRequest{Expr: "(2,3):(3,1)", Coords: true})
	for line := range strings.Lines(r.Text) {
		fmt.Println(strings.TrimRight(line, " \n"))
	}
	// Output:
	// (2,3):(3,1)
	//       0   1   2
	//     +---+---+---+
	//  0  | 0 | 1 | 2 |
	//     +---+---+---+
	//  1  | 3 | 4 | 5 |
	//     +---+---+---+
}
