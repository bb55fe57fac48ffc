package cute_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
)

// Text that a value prints is read back as that value, also with blanks and CuTe's underscores.
func TestParseRoundTrip(t *testing.T) {
	holds(t, func(t *rapid.T) {
		l := rapid.OneOf(anyLayout(), gen.HugeLayouts()).Draw(t, "l")
		for _, text := range []string{l.String(), spaced(l.String()), static(l.String())} {
			if back, err := cute.Parse(text); err != nil || !back.Equal(l) {
				t.Fatalf("%v reads back from %q as %v, %v", l, text, back, err)
			}
		}
		if got := string(l.Append([]byte("x "))); got != "x "+l.String() {
			t.Fatalf("%v appends as %q", l, got)
		}
		x := gen.Tuples().Draw(t, "x")
		for _, text := range []string{x.String(), spaced(x.String()), static(x.String())} {
			if back, err := cute.ParseTuple(text); err != nil || !back.Equal(x) {
				t.Fatalf("%v reads back from %q as %v, %v", x, text, back, err)
			}
		}
		c := gen.SliceCoords(l.Shape()).Draw(t, "c")
		if back, err := cute.ParseCoord(c.String()); err != nil || back.String() != c.String() || back.Rank() != c.Rank() {
			t.Fatalf("%v reads back as %v, %v", c, back, err)
		}
	})
}

// spaced puts blanks around every sign.
func spaced(text string) string {
	for _, sign := range []string{"(", ")", ",", ":"} {
		text = strings.ReplaceAll(text, sign, " "+sign+"\t")
	}
	return text
}

// static writes an underscore before every integer that starts a leaf.
func static(text string) string {
	var b strings.Builder
	for i := range len(text) {
		starts := i == 0 || strings.IndexByte("(,:", text[i-1]) >= 0
		if starts && (text[i] == '-' || (text[i] >= '0' && text[i] <= '9')) {
			b.WriteByte('_')
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// The text of a tiler reads back as an equal tiler; the integer n is printed as the layout n:1.
func TestParseTilerRoundTrip(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := gen.Layouts().Draw(t, "a")
		tiler := gen.Tilers(a).Draw(t, "tiler")
		back, err := cute.ParseTiler(tiler.String())
		if err != nil || back.String() != tiler.String() {
			t.Fatalf("%v reads back as %v, %v", tiler, back, err)
		}
		x, err1 := cute.LogicalDivide(a, tiler)
		y, err2 := cute.LogicalDivide(a, back)
		if errorCode(err1) != errorCode(err2) || !x.Layout.Equal(y.Layout) {
			t.Fatalf("%v / %v = %v, %v, by what its text reads as %v, %v", a, tiler, x, err1, y, err2)
		}
	})
}

func TestParseSpellings(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"4:1": "4:1", " ( 4 , 2 ) : ( 1 , 4 ) ": "(4,2):(1,4)", "(_4,_2):(_1,_-4)": "(4,2):(1,-4)", "(4,2,):(1,4,)": "(4,2):(1,4)",
		"(4,)": "(4):(1)", "(4,(2,2))": "(4,(2,2)):(1,(4,8))", "8": "8:1", "()": "():()", "(1,8)": "(1,8):(0,1)",
		"(2,2):(1@0,1@1@0)": "", "(2,2):(1@0,1@0@1+2@1@1)": "(2,2):(1@0,1@0@1+2@1@1)", "2:1@0-1@0": "2:0", "4:0@1": "4:0",
		"04:001": "4:1", "(2,2):(0,1@3)": "(2,2):(0,1@3)", "4:-0": "4:0",
	} {
		l, err := cute.Parse(text)
		if want == "" {
			wantCode(t, text, err, cute.CodeCodomain)
			continue
		}
		wantText(t, text, l, err, want)
	}
	for code, texts := range map[cute.Code][]string{
		cute.CodeSyntax: {
			"", "4:", "(4,2", "4:1)", "4;1", "(4 2):(1,4)", "4:x", "4:1@", "4:1@64", "4:- 1", "_", "4:_", "(,4)",
			"(4,,2)", "4:1\x00", "٤:1",
		},
		cute.CodeOverflow: {
			"9223372036854775808:1", "4:99999999999999999999999", "4:-9223372036854775808", "4:-9223372036854775809",
			"(4294967296,4294967296)",
		},
		cute.CodeNotCongruent: {"(4,2):(1,(4))"},
		cute.CodeExtent:       {"(4,0)", "-4"},
		cute.CodeCodomain:     {"(1@0,4):(1,1)", "4:1+1@0"},
		cute.CodeLimit:        {strings.Repeat("(", 257) + strings.Repeat(")", 257)},
	} {
		for _, text := range texts {
			_, err := cute.Parse(text)
			wantCode(t, text, err, code)
		}
	}
	for text, want := range map[string]string{
		"_": "_", "(_,3)": "(_,3)", "(_,_3,(_))": "(_,3,(_))", "-2": "-2", "()": "()", "(_,)": "(_)",
	} {
		c, err := cute.ParseCoord(text)
		wantText(t, text, c, err, want)
	}
	for _, text := range []string{"", "1@0", "(1:2)", "_ 3", "__", "(_"} {
		_, err := cute.ParseCoord(text)
		wantCode(t, text, err, cute.CodeSyntax)
	}
	for text, want := range map[string]string{
		"_": "_", "4": "4", "(4,8)": "(4,8)", "<4,8>": "<4:1,8:1>", "<3:3,(2,4):(1,8)>": "<3:3,(2,4):(1,8)>", "<>": "<>",
		"<_,<2,_>>": "<_,<2:1,_>>", "4:2": "4:2",
	} {
		x, err := cute.ParseTiler(text)
		wantText(t, text, x, err, want)
	}
	for _, text := range []string{"", "<", "<4", "4>", "<4;8>", "<4:>"} {
		_, err := cute.ParseTiler(text)
		wantCode(t, text, err, cute.CodeSyntax)
	}
}

func TestParseSwizzle(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Sw<3,4,3>": "Sw<3,4,3>", " Sw < 3 , 4 , -3 > ": "Sw<3,4,-3>", "Swizzle<_2,_0,_5>": "Sw<2,0,5>", "Sw<0,0,0>": "Sw<0,0,0>",
	} {
		x, err := cute.ParseSwizzle(text)
		wantText(t, text, x, err, want)
	}
	for code, texts := range map[cute.Code][]string{
		cute.CodeSyntax: {
			"", "Sw", "S<1,2,3>", "Sw<3,4>", "Sw<3,4,3", "Sw<3,4,3>>", "Sw<3,4,3> o 4:1", "Sw<3,4,x>", "sw<3,4,3>",
		},
		cute.CodeSwizzle:  {"Sw<3,4,2>", "Sw<-1,4,3>", "Sw<1,4,4294967299>", "Sw<1,4,-4294967299>"},
		cute.CodeOverflow: {"Sw<1,4,9223372036854775808>"},
	} {
		for _, text := range texts {
			_, err := cute.ParseSwizzle(text)
			wantCode(t, text, err, code)
		}
	}
}

// Functions for texts known to be right panic with the error that the other functions return.
func TestMustParse(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]func(){
		"layout": func() { cute.MustParse("4:") },
		"tuple":  func() { cute.MustParseTuple("(") },
		"coord":  func() { cute.MustParseCoord("_3_") },
		"tiler":  func() { cute.MustParseTiler("<") },
	} {
		func() {
			defer func() {
				err, ok := recover().(error)
				if !ok || errorCode(err) != cute.CodeSyntax {
					t.Errorf("%s: panicked with %v, want a syntax error", name, err)
				}
			}()
			f()
			t.Errorf("%s: did not panic", name)
		}()
	}
}

// No text makes the readers panic, and every accepted text is printed and read back.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"(4,(2,2)):(1,(4,8))",
		"(_4,_2):(_1,_-4)",
		"(2,2):(1@0,1@0@1-2@1@1)", "<3:3,(2,4):(1,8),_>", "(_,(3,_))", "()", "9223372036854775807:1", "((((4))))", "4:1@63", "(4,)",
		"Sw<3,3,3> o 0 o Sw<1,2,4> o 8 o (8,64):(64,1)", "(4,8):(8,1) o (0,0) o (4,8):(1@0,1@1)",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if l, err := cute.Parse(text); err == nil {
			if back, err := cute.Parse(l.String()); err != nil || !back.Equal(l) {
				t.Errorf("%q is %v, which reads back as %v, %v", text, l, back, err)
			}
		} else if errorCode(err) == "foreign" {
			t.Errorf("%q: %v", text, err)
		}
		if x, err := cute.ParseTuple(text); err == nil {
			if back, err := cute.ParseTuple(x.String()); err != nil || !back.Equal(x) {
				t.Errorf("%q is %v, which reads back as %v, %v", text, x, back, err)
			}
		}
		if c, err := cute.ParseCoord(text); err == nil {
			if back, err := cute.ParseCoord(c.String()); err != nil || back.String() != c.String() {
				t.Errorf("%q is %v, which reads back as %v, %v", text, c, back, err)
			}
		}
		if c, err := cute.ParseComposed(text); err == nil {
			if back, err := cute.ParseComposed(c.String()); err != nil || back.String() != c.String() {
				t.Errorf("%q is %v, which reads back as %v, %v", text, c, back, err)
			}
		} else if errorCode(err) == "foreign" {
			t.Errorf("%q: %v", text, err)
		}
		if x, err := cute.ParseTiler(text); err == nil {
			if back, err := cute.ParseTiler(x.String()); err != nil || back.String() != x.String() {
				t.Errorf("%q is %v, which reads back as %v, %v", text, x, back, err)
			}
		}
	})
}
