package eval_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/lang/eval"
)

// The test reads coordinates as strides in every spelling: sums of axes, C++ and Python, and PyCuTe's tuples.
func TestCoordinateStrides(t *testing.T) {
	t.Parallel()
	const note = "a tuple next to an extent is a coordinate"
	for _, tt := range []struct{ src, want, note string }{
		{"(4,8):(4@0+2@1, 1@1)", "(4,8):(4@0+2@1,1@1)", ""},
		{"(4,8):(4*E(2)+2*E(3), E(1))", "(4,8):(4@2+2@3,1@1)", ""},
		{"E<0>{}*4 + E<1>{}*2", "4@0+2@1", ""},
		{"(_4,_8):(cute::E<0>{}*_4 - cute::E<0,1>{},E<1>{})", "error: codomain", ""},
		{"E(0,1)", "1@1@0", ""},
		{"E()", "1", ""},
		{"(M,4):(4*E(0)+N*E(1),E(0))", "(M,4):(4@0+N@1,1@0)", ""},
		{"(M,E{div=8}):(E,1)", "(M,E):(E,1)", ""},
		{"let E = 4:2; E(1)", "2", ""},
		{"(4,4):((1,1),(3,1)) o (4,2):(2,1)", "((2,2),2):((2@0+2@1,3@0+1@1),1@0+1@1)", note},
		{"(4,8):(3,42) o 4:(1,2)", "4:87", note},
		{"(4,4):(3,42) o 4:ArithTuple(1,1)", "4:45", ""},
		{"(3,5,7,11):(E(0),E(1),E(2),E(3)) o 3:4*E(2) + 2*E(3)", "3:4@2+2@3", ""},
		{"(3,5,7,11):(E(0),E(1),E(2),E(3)) o 3:(1,0,0,1)", "3:1@0+1@3", note},
		{"make_layout((4,4), stride=((1,1),(3,1)))", "(4,4):(1@0+1@1,3@0+1@1)", note},
		{"(M,4):((1,N),(3,1))", "(M,4):(1@0+N@1,3@0+1@1)", note},
		{"(4,4):((1,1),2@1)", "(4,4):(1@0+1@1,2@1)", note},
		{"(4,4):(2@1,1)", "error: codomain", ""},
		{"4:((1,2),3)", "4:1@0@0+2@1@0+3@1", note},
		{"((2,2),4):((1,2),(3,1))", "error: not_congruent", ""},
		{"(4,4):((1,1),3)", "error: not_congruent", ""},
		{"4:(2)", "error: not_congruent", ""},
		{"M:(1,4)", "error: not_congruent", ""},
		{"?:(1,4)", "error: not_congruent", ""},
		{"make_layout(M, (1,4))", "error: not_congruent", ""},
		{"as_arithmetic_tuple((4,(0,2)))", "4@0+2@1@1", ""},
		{"as_arithmetic_tuple((M,2))", "M@0+2@1", ""},
		{"as_arithmetic_tuple(5)", "5", ""},
		// values: an offset and a place
		{"(4,8):(3,42) o 1@0+2@1 o (2,2):(1@0,1@1)", "(4,8):(3,42) o (1,2) o (2,2):(1@0,1@1)", ""},
		{"((4,8):(3,42) o 2@1 o (2,2):(1@0,1@1))(1,1)", "129", ""},
		{"(4,8):(3,42) o M@0+2@1 o (2,2):(1@0,1@1)", "(4,8):(3,42) o (M,2) o (2,2):(1@0,1@1)", ""},
		{"(4,8):(3,42) o (M,2) o (2,2):(1@0,1@1)", "(4,8):(3,42) o (M,2) o (2,2):(1@0,1@1)", ""},
		{"make_composed_layout((4,8):(3,42), 1@0+2@1, (2,2):(1@0,1@1))", "(4,8):(3,42) o (1,2) o (2,2):(1@0,1@1)", ""},
		{"(4,8):(3,42)(1@0+2@1)", "87", ""},
		{"(4,8):(3,42)(1@0)", "3", ""},
		{"(4,8):(3,42)(M@0+2@1)", "3M+84", ""},
		{"(4,8):(3,42)(2@2)", "error: not_congruent", ""},
		{"(4,8):(3,42) o 1@0+2@1", "error: codomain", ""},
		// tables
		{"recognize((0,0), (1,0), (0,1), (1,1))", "(2,2):(1@0,1@1)", ""},
		{"recognize(((0,0), (1,0), (0,1), (1,1)))", "(2,2):(1@0,1@1)", ""},
		{"recognize(0, 1@0, 1@1, 1@0+1@1)", "(2,2):(1@0,1@1)", ""},
		{"recognize((0,1,2,3))", "4:1", ""},
		{"recognize((0,0), (0,0))", "2:0", ""},
		{"recognize((0,0), 1)", "error: not_congruent", ""},
		{"recognize((0,0), (1,0), (0,1), (2,1))", "error: not_representable", ""},
		{"recognize((0,M), (1,0))", "error: unknown", ""},
	} {
		r, err := eval.Eval(tt.src)
		if code, failed := strings.CutPrefix(tt.want, "error: "); failed {
			wantCode(t, tt.src, err, cute.Code(code))
			continue
		}
		if err != nil || r.Value.String() != tt.want {
			t.Errorf("Eval(%q) = %v, %v, want %s", tt.src, r.Value, err, tt.want)
		}
		if notes := strings.Join(r.Notes, "; "); (tt.note == "") != (notes == "") || !strings.Contains(notes, tt.note) {
			t.Errorf("Eval(%q) has the notes %q, want %q", tt.src, notes, tt.note)
		}
	}
}

// pycuteStride writes a stride as PyCuTe prints it: a coordinate along one axis as 2@1, along several as a tuple.
func pycuteStride(t *rapid.T, stride cute.Tuple) string {
	if stride.Depth() > 0 {
		var parts []string
		for _, m := range stride.Modes() {
			parts = append(parts, pycuteStride(t, m))
		}
		return "(" + strings.Join(parts, ", ") + ")"
	}
	if !strings.Contains(strings.TrimPrefix(stride.String(), "-"), "+") && strings.Count(stride.String(), "@") < 2 {
		return stride.String()
	}
	l, err := cute.New(cute.Int(2), stride)
	if err != nil {
		t.Skip("too large")
	}
	c, err := l.Eval(cute.Int(1))
	if err != nil {
		t.Fatal(err)
	}
	if c.Rank() < 2 {
		return stride.String()
	}
	return c.String()
}

func pycuteStridesRead(t *rapid.T) {
	l := gen.MultiAxis().Draw(t, "layout")
	src := l.Shape().String() + ":" + pycuteStride(t, l.Stride())
	r, err := eval.Eval(src)
	if err != nil || r.Value.String() != l.String() {
		t.Fatalf("Eval(%q) = %v, %v, want %v", src, r.Value, err, l)
	}
}

func TestPycuteStrides(t *testing.T) { t.Parallel(); rapid.Check(t, pycuteStridesRead) }

func FuzzPycuteStrides(f *testing.F) { f.Fuzz(rapid.MakeFuzz(pycuteStridesRead)) }
