package eval_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/check/oracle"
	"girih/internal/lang/eval"
)

// The test checks that a tuple of layouts is a tiler, and that a note gives the other reading if its answer differs.
func TestTuplesOfLayouts(t *testing.T) {
	t.Parallel()
	const other = "(4:3,3:1) is taken as the tiler <4:3,3:1>, by mode; concatenated, as make_layout(4:3,3:1), it gives ((2,2),3):((24,2),8)"
	for _, tt := range []struct{ src, want, note string }{
		{"(6,2):(8,2) o (4:3,3:1)", "(4,3):(24,2)", other},
		{"composition((6,2):(8,2), (4:3,3:1))", "(4,3):(24,2)", other},
		{"let t = (4:3,3:1); (6,2):(8,2) o t", "(4,3):(24,2)", other},
		{"(6,2):(8,2) o <4:3,3:1>", "(4,3):(24,2)", ""},
		{"let t = <4:3,3:1>; (6,2):(8,2) o t", "(4,3):(24,2)", ""},
		{"let t = (4:3,3:1); let t = <4:3,3:1>; (6,2):(8,2) o t", "(4,3):(24,2)", ""},
		{"(6,2):(8,2) o make_layout(4:3,3:1)", "((2,2),3):((24,2),8)", ""},
		{"(4,4):(1,4) o (2,2)", "(2,2):(1,4)", ""},
		{"(4,4):(1,4) o (_,2:1)", "(4,2):(1,4)", ""},
		{"(4,4):(1,4) o (<2:1>,2:1)", "((2),2):((1),4)", ""},
		{"(4,8):(0,0) o (4:1,8:1)", "(4,8):(0,0)", ""},
		{
			"logical_divide((8,8):(1,8), (4:1,2:1))", "((4,2),(2,4)):((1,4),(8,16))",
			"(4:1,2:1) is taken as the tiler <4:1,2:1>, by mode; concatenated, as make_layout(4:1,2:1), it is refused",
		},
		{
			"logical_product((2,5):(5,1), (3:5,4:6))", "((2,3),(5,4)):((5,10),(1,30))",
			"(3:5,4:6) is taken as the tiler <3:5,4:6>, by mode; concatenated, as make_layout(3:5,4:6), it gives ((2,5),(3,4)):((5,1),(50,60))",
		},
		{
			"(M,N):(1,M) o (4:1,2:1)", "(4,2):(1,M)",
			"(4:1,2:1) is taken as the tiler <4:1,2:1>, by mode; concatenated, as make_layout(4:1,2:1), it gives",
		},
	} {
		r, err := eval.Eval(tt.src)
		if err != nil || r.Value.String() != tt.want {
			t.Errorf("Eval(%q) = %v, %v, want %s", tt.src, r.Value, err, tt.want)
		}
		if notes := strings.Join(r.Notes, "; "); tt.note == "" && strings.Contains(notes, "taken as") ||
			!strings.Contains(notes, tt.note) {
			t.Errorf("Eval(%q) has the notes %q, want %q", tt.src, notes, tt.note)
		}
	}
	for src, hint := range map[string]string{
		"logical_divide(32:1, (4:1,2:4))":            "make_layout(4:1,2:4) is the concatenation, and gives ((4,2),4):((1,4),8)",
		"blocked_product((2,5):(5,1), (3:5,4:6))":    "make_layout(3:5,4:6) is the concatenation, and gives ((2,3),(5,4)):((5,50),(1,60))",
		"let t = (4:1,2:4); logical_divide(32:1, t)": "make_layout(4:1,2:4)",
	} {
		_, err := eval.Eval(src)
		e, ok := errors.AsType[*cute.Error](err)
		if !ok || !strings.Contains(e.Hint, hint) {
			t.Errorf("Eval(%q): %+v, want the hint %q", src, e, hint)
		}
	}
}

// The test checks that the note is present exactly if the two readings are different functions, or if only the first
// reading has an answer.
func notesTheOtherReading(t *rapid.T) {
	a := gen.NonNegativeLayouts().Draw(t, "A")
	if a.Rank() != 2 {
		b := gen.NonNegativeLayouts().Draw(t, "second mode")
		var err error
		if a, err = cute.MakeLayout(a, b); err != nil {
			t.Skip("too large")
		}
	}
	small := func(label string) cute.Layout {
		n := rapid.Int64Range(1, 6).Draw(t, label)
		d := rapid.Int64Range(0, 3).Draw(t, label+" stride")
		return cute.MustParse(fmt.Sprintf("%d:%d", n, d))
	}
	x, y := small("x"), small("y")
	byMode, err1 := cute.CompositionBy(a, cute.MakeTile(x, y))
	cat, err := cute.MakeLayout(x, y)
	if err != nil {
		t.Fatal(err)
	}
	joined, err2 := cute.Composition(a, cat)
	r, err := eval.Eval(fmt.Sprintf("%v o (%v,%v)", a, x, y))
	if (err == nil) != (err1 == nil) {
		t.Fatalf("%v o (%v,%v) = %v, %v, want %v, %v", a, x, y, r.Value, err, byMode, err1)
	}
	if err != nil {
		e, _ := errors.AsType[*cute.Error](err)
		if told := strings.Contains(e.Hint, "make_layout("); told != (err2 == nil) {
			t.Fatalf("%v o (%v,%v): the hint %q, concatenated %v, %v", a, x, y, e.Hint, joined, err2)
		}
		return
	}
	same := err2 == nil && slices.Equal(oracle.Of(byMode).Ints(), oracle.Of(joined).Ints())
	if told := strings.Contains(strings.Join(r.Notes, ";"), "taken as the tiler"); told == same {
		t.Fatalf("%v o (%v,%v) = %v, notes %q; concatenated %v, %v", a, x, y, r.Value, r.Notes, joined, err2)
	}
}

func TestNotesTheOtherReading(t *testing.T) { t.Parallel(); rapid.Check(t, notesTheOtherReading) }

func FuzzNotesTheOtherReading(f *testing.F) { f.Fuzz(rapid.MakeFuzz(notesTheOtherReading)) }
