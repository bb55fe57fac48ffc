package reader_test

import (
	"strings"
	"testing"
	"time"

	"girih/cute"
	"girih/internal/lang/reader"
)

// FuzzRead checks laws that hold for any text: items are in order and within it, and the text of a static layout is
// canonical and reads back as itself.
func FuzzRead(f *testing.F) {
	for _, row := range notations(f) {
		f.Add(row.Text)
	}
	for _, c := range cases {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) { check(t, text) })
}

func check(t *testing.T, text string) {
	t.Helper()
	for _, it := range reader.Read(text).Items {
		if it.Start < 0 || it.End < it.Start || it.End > len(text) {
			t.Fatalf("Read(%q): %q stands at [%d, %d)", text, it.Text, it.Start, it.End)
		}
		if it.Kind == "" || it.Text == "" || strings.ContainsAny(it.Text, "\n\r") {
			t.Fatalf("Read(%q): kind %q, text %q", text, it.Kind, it.Text)
		}
		if !it.Static {
			continue
		}
		if l, err := cute.Parse(it.Text); err != nil || l.String() != it.Text {
			t.Fatalf("Read(%q): girih reads %q as %v, %v", text, it.Text, l, err)
		}
		again := reader.Read(it.Text)
		if len(again.Items) != 1 || again.Items[0].Text != it.Text || !again.Items[0].Static {
			t.Fatalf("Read(%q): Read(%q) = %+v", text, it.Text, again.Items)
		}
	}
}

// TestHostile reads long texts designed to be slow to read. A reader without linear time would need minutes.
func TestHostile(t *testing.T) {
	t.Parallel()
	n := 1 << 16
	if testing.Short() {
		n = 1 << 14
	}
	for _, piece := range []string{
		"(", "((", "(1,", "[", "[[", "<", "<<", "Layout<", "Shape<", "make_layout(", "(1,(", "Sw<3,", "a.", "a::",
		"A o ", "-", "- ",
		"!cute.x<", "#ttg.x<{a=", "#ttg.x<{a=[", "((1)", "1:", "(1):", "(1,2) -> ", "(0,0)", "(1,2)(3,4)(9,1)", "0 1 2\n",
		"0 1\n", "|0|1|\n", "+--+\n", "^", "a^b ",
		"(a ^ ", "register=[[", "lane=1 -> (", "- lane=1 -> (0)\n", "[with A=", "[with A=(1,", "TiledMMA\n",
		"Tiled MMA\n a: ", "\"", "!cute.layout<\"",
		"static assertion failed ", "x x ", "64 x ", "?{", "?", "@", "1@", "lambda ", "T.Layout([4], lambda i: ", "f(",
		"f(1,", "get(", "get<0>(", "(1 ",
		"S o ", "1/", "1+", "(1+", "smem_ptr[", "ptr<", "ptr(", "shape=(1,2) ", "\x1b[", "a = 1 ^ a;", "(A)", "((A))",
		"(1,2)(", "4:1(", "=> ", "f() => ",
		`{"kind":`, `{"kind":"layout","shape":[`, `{"kind":1}`, "$", "$(1", "$1{:}", `\\(`, "M*", "(M*K)//", "f(M*",
		"make_layout(M*", "-(-", "f(-(-M//2)", "1 * E<0>{} * ",
		"Foo(", "Foo<", "Foo(1,", "struct SM70 ", "struct SM70{", "struct SM70{using A=", "S[1:", "S[1:2]+", "0|1 2\n",
		"0¦1 2\n", "// (1,\n", "x[1:", "(1):(1E0,",
		"(8):(F1,", "{1,", "Fragment(", "sequence<", "a ? 1:", "1:1 ", "(1):(1@a", "BlockedLayout(", "BlockedLayout([1],",
		"4:1 // n0: run-time int; ", "4:1 # a % 4 == 0\n", "make_shape(ceil_div(", "(M//2)", "(4 # ",
	} {
		t.Run(piece, func(t *testing.T) {
			t.Parallel()
			text := strings.Repeat(piece, n/len(piece))
			start := time.Now()
			reader.Read(text)
			if d := time.Since(start); d > 10*time.Second {
				t.Errorf("%d bytes of %q took %v", len(text), piece, d)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	if r := reader.Read(strings.Repeat(" ", reader.MaxInput+1)); r.Err == nil || len(r.Items) > 0 {
		t.Errorf("a text above the limit gives %v, %v", r.Items, r.Err)
	}
	deep := strings.Repeat("(", reader.MaxDepth-1) + "4" + strings.Repeat(")", reader.MaxDepth-1)
	if got := first(reader.Read(deep + ":" + deep)); got != deep+":"+deep {
		t.Errorf("%d brackets are read as %q", reader.MaxDepth-1, got)
	}
	deep = "(" + deep + ")"
	if r := reader.Read("(" + deep + ",1)"); first(r) == deep {
		t.Errorf("%d brackets are read", reader.MaxDepth+1)
	}
}
