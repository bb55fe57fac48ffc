package repl

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/reeflective/readline"

	"girih/internal/service"
	"girih/internal/terminal"
)

func newTest(s style) (r *repl, out, errs *bytes.Buffer) {
	out, errs = new(bytes.Buffer), new(bytes.Buffer)
	return &repl{out: terminal.NewWriter(out), err: terminal.NewWriter(errs), style: s}, out, errs
}

func TestIncomplete(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]bool{
		"": false, "4:1": false, "(4,": true, "(4,\n2)": false, "let a =": true, "4)": false,
		"L1=L2^*": false, "L1=(L2^*": true, "2^*^*": false, "4 *": true,
		":help": false, ":layout": false, ":layout (4,": true, ":layout (4,\n2)": false, "  :l (": true,
	} {
		if got := incomplete(input); got != want {
			t.Errorf("incomplete(%q) = %v, want %v", input, got, want)
		}
	}
}

func TestHandle(t *testing.T) {
	t.Parallel()
	r, out, errs := newTest(false)
	for _, test := range []struct {
		input, out, errs string
		goesOn           bool
	}{
		{"let a = 2:1", "2:1\n", "", true},
		{"", "", "", true},
		{":", "", "there is no command :; :help lists them\n", true},
		{":vars", "a = 2:1\n", "", true},
		{":v", "a = 2:1\n", "", true},
		{":varsity", "", "there is no command :varsity; :help lists them\n", true},
		{":l\ta", "2:1\n      0 \n    +---+\n 0  | 0 |\n    +---+\n 1  | 1 |\n    +---+\n", "", true},
		{"logical_divide(8:1, 2:1)", "(2,4):(1,2)\n", "", true},
		{"size(ans)", "8\n", "", true},
		{"complement(4:2, 24)", "(2,3):(1,8)\n", "", true},
		{":draw 2:1", "2:1\n", "", true},
		{":explain", "(2,3):(1,8)", "", true},
		{":show", "Layout<Shape<_2,_3>,Stride<_1,_8>>{}", "", true},
		{":bank f16 ld 64:1", "conflict-free", "", true},
		{":bank f16", "", "expected :bank TYPE ACCESS EXPR, such as :bank f16 ldmatrix.x4 (8,64):(64,1)\n", true},
		{":v", "a = 2:1\n", "", true},
		{"quit", "", "", false},
		{"exit", "", "", false},
		{" :quit now ", "", "", false},
	} {
		out.Reset()
		errs.Reset()
		if on := r.handle(test.input); on != test.goesOn ||
			!strings.HasPrefix(test.input, ":") && out.String() != test.out ||
			!strings.Contains(out.String(), test.out) || errs.String() != test.errs {
			t.Errorf("handle(%q) = %v, %q, %q; want %v, %q, %q", test.input, on, out, errs, test.goesOn, test.out, test.errs)
		}
	}
}

func TestColours(t *testing.T) {
	t.Parallel()
	r, out, errs := newTest(true)
	r.handle("logical_divide(9:1, 2:1)")
	r.handle("(")
	if out.String() != "(2,5):(1,2)\n" {
		t.Errorf("the value is %q, want it without colours", out)
	}
	if got := errs.String(); !strings.HasPrefix(got, "\x1b[2mnote: padded") || !strings.Contains(got, "\x1b[0m\n\x1b[31merror:\x1b[0m syntax: ") {
		t.Errorf("stderr = %q, want a dim note and a red error", got)
	}
}

func TestHighlightKeepsTheText(t *testing.T) {
	t.Parallel()
	escape := regexp.MustCompile("\x1b\\[[0-9]*m")
	r, _, _ := newTest(true)
	r.handle("let a = 1")
	for _, line := range []string{"", "let b = a o coalesce((4,\n 2)) ∘ ? # end", ":layout  a(_)", ":help", "\xff\x00 ("} {
		got := r.highlight(line)
		if escape.ReplaceAllString(got, "") != line {
			t.Errorf("highlight(%q) = %q changes the text", line, got)
		}
		if len(line) > 2 && got == line {
			t.Errorf("highlight(%q) has no colour", line)
		}
	}
}

func TestComplete(t *testing.T) {
	t.Parallel()
	r, _, _ := newTest(false)
	r.handle("let coarse = 1")
	for _, test := range []struct {
		line string
		want []string // values that must be among the candidates
	}{
		{"coales", []string{"coalesce("}},
		{"co", []string{"coarse", "coalesce("}},
		{"(4,coales", []string{"(4,coalesce("}}, // the line editor completes from blank to blank
		{"1 o a.coales", []string{"a.coalesce("}},
		{"rank(", []string{"rank(coarse", "rank(coalesce("}},
		{":", []string{":help", ":quit"}},
		{":layout coa", []string{"coarse"}},
		{":draw SM75_U32x", []string{"SM75_U32x4_LDSM_N"}},
		{`mma("SM80_16x8x16_F32F`, []string{`mma("SM80_16x8x16_F32F16F16F32_TN`}},
	} {
		var got []string
		c := r.complete([]rune(test.line), len([]rune(test.line)))
		c.EachValue(func(v readline.Completion) readline.Completion { got = append(got, v.Value); return v })
		for _, want := range test.want {
			if !slices.Contains(got, want) {
				t.Errorf("complete(%q) = %q, want %q among them", test.line, got, want)
			}
		}
	}
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	f := service.Candidate{Name: "f", Class: service.ClassFunction, Signature: "f(A, B)", Summary: "Returns A."}
	if got, want := describe(f), "(A, B) Returns A."; got != want {
		t.Errorf("describe = %q, want %q", got, want)
	}
	if got, want := describe(service.Candidate{Name: "a", Class: service.ClassVariable}), "variable"; got != want {
		t.Errorf("describe = %q, want %q", got, want)
	}
}

func TestHistory(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state", "girih", "history")
	fail := func(err error) { t.Error(err) }
	h := openHistory(path, fail)
	for _, input := range []string{"4:1", "4:1", "", "let a = (4,\n2) # <b>", "4:1"} {
		if _, err := h.Write(input); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"4:1", "let a = (4,\n2) # <b>", "4:1"}
	if again := openHistory(path, fail); !slices.Equal(again.entries, want) || again.Len() != 3 {
		t.Errorf("the history is %q, want %q", again.entries, want)
	}
	if line, err := h.GetLine(1); line != want[1] || err != nil {
		t.Errorf("GetLine(1) = %q, %v", line, err)
	}
	for _, pos := range []int{-1, 3} {
		if _, err := h.GetLine(pos); !errors.Is(err, errNoEntry) {
			t.Errorf("GetLine(%d) = %v, want errNoEntry", pos, err)
		}
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file has mode %v, %v; want 0600", info.Mode(), err)
	}
}

func TestHistoryIsCut(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history")
	var b strings.Builder
	for i := range historySize + 10 {
		b.WriteString(`"` + strings.Repeat("1", i%100+1) + `"` + "\nnot JSON\n")
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	h := openHistory(path, func(err error) { t.Error(err) })
	if again := openHistory(path, func(err error) { t.Error(err) }); h.Len() != historySize ||
		!slices.Equal(again.entries, h.entries) {
		t.Errorf("%d entries, then %d; want the last %d twice", h.Len(), again.Len(), historySize)
	}
	data, err := os.ReadFile(path)
	if n := bytes.Count(data, []byte("\n")); err != nil || n != historySize {
		t.Errorf("the file has %d lines, %v; want %d", n, err, historySize)
	}
}

// An entry that a crash cut off does not affect other entries.
func TestHistoryCutOff(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history")
	if err := os.WriteFile(path, []byte("\"4:1\"\n\"(4,2"), 0o600); err != nil {
		t.Fatal(err)
	}
	fail := func(err error) { t.Error(err) }
	if _, err := openHistory(path, fail).Write("8:1"); err != nil {
		t.Fatal(err)
	}
	if again := openHistory(path, fail); !slices.Equal(again.entries, []string{"4:1", "8:1"}) {
		t.Errorf("the history is %q", again.entries)
	}
}

func TestHistoryThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	failures := 0
	h := openHistory(filepath.Join(file, "history"), func(error) { failures++ })
	for _, input := range []string{"1", "2"} {
		if _, err := h.Write(input); err != nil {
			t.Errorf("Write = %v, want a note instead", err)
		}
	}
	if failures != 1 || h.Len() != 2 {
		t.Errorf("%d notes and %d entries, want 1 and 2", failures, h.Len())
	}
}

func TestHistoryPath(t *testing.T) {
	for _, test := range []struct{ state, want string }{
		{"/state", "/state/girih/history"},
		{"", "/home/me/.local/state/girih/history"},
		{"relative", "/home/me/.local/state/girih/history"},
	} {
		t.Setenv("HOME", "/home/me")
		t.Setenv("XDG_STATE_HOME", test.state)
		if got, err := historyPath(); err != nil || filepath.ToSlash(got) != test.want {
			t.Errorf("XDG_STATE_HOME=%q: %q, %v; want %q", test.state, got, err, test.want)
		}
	}
}

// Typed or pasted text reaches the terminal without its control characters, inside girih's own colors and outside.
func TestControlCharacters(t *testing.T) {
	t.Parallel()
	for _, styled := range []style{false, true} {
		r, out, errs := newTest(styled)
		for _, input := range []string{
			":\x1b]0;x\x07", ":no\u009b31m", ":help \x1b[2J", ":set \x1b[2J=1", ":set M=\x1b[2J", "\x1b[2J", "let \u202ea = 1",
			":layout \x9b", "# \x1b[2J",
		} {
			out.Reset()
			errs.Reset()
			r.handle(input)
			said := out.String() + errs.String()
			for _, own := range []string{"\x1b[2mnote:", "\x1b[31merror:", "\x1b[0m"} {
				said = strings.ReplaceAll(said, own, "")
			}
			if said != terminal.Clean(said) {
				t.Errorf("%q: %q has control characters", input, said)
			}
		}
	}
}

// When the output is closed, nothing more is evaluated.
func TestPlainEndsWithTheOutput(t *testing.T) {
	t.Parallel()
	var errs bytes.Buffer
	in := strings.NewReader("1\n(\n2\n")
	r := &repl{out: terminal.NewWriter(noOutput{}), err: terminal.NewWriter(&errs)}
	r.plain(in)
	if errs.Len() > 0 || r.out.Err() == nil {
		t.Errorf("%q, %v: the second line was evaluated", errs.String(), r.out.Err())
	}
}

type noOutput struct{}

func (noOutput) Write([]byte) (int, error) { return 0, errors.New("full") }

// TestPastedCells checks that the code of girih's first documents, which package service runs as programs, does the
// same when entered line by line with its empty lines.
func TestPastedCells(t *testing.T) {
	t.Parallel()
	grid := regexp.MustCompile(`(?m)^ +\d+( +\d+)+$`)
	heading := regexp.MustCompile(`(?m)^#### (\d+ run as a page|\d+ run|\d+ not|\d+ printed|before|code|then|prints|has)\b.*\n`)
	for _, file := range []string{"000", "001", "002", "003", "004"} {
		text, err := os.ReadFile("../../service/testdata/seeds/" + file + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		var in, want strings.Builder
		runs := false
		at := heading.FindAllSubmatchIndex(text, -1)
		for i, m := range at {
			end := len(text)
			if i+1 < len(at) {
				end = at[i+1][0]
			}
			part := string(text[m[1]:end])
			// Entered line by line, the lines of a printed grid are values.
			runs = runs && !grid.MatchString(part)
			runs = runs && !strings.Contains(part, "Layout Shape :") // a table of shapes is a text, not statements
			switch name := string(text[m[2]:m[3]]); {
			case strings.ContainsAny(name[:1], "0123456789"):
				runs = strings.HasSuffix(name, "run")
			case !runs:
			case name == "prints", name == "has":
				want.WriteString(part)
			default:
				in.WriteString(part + "\n") // an empty line ends a block, and the next cell may be C++
			}
		}
		r, out, errs := newTest(false)
		if status := r.plain(strings.NewReader(in.String())); status != statusOK {
			t.Errorf("%s: status %d, %s", file, status, errs)
		}
		rest := out.String()
		for some := range strings.Lines(want.String()) { // the values of bindings are between them
			_, after, ok := strings.Cut(rest, some)
			if !ok {
				t.Errorf("%s: prints\n%s\nand not, from there on,\n%s", file, rest, some)
				break
			}
			rest = after
		}
	}
}

// TestEmptyLines checks that an empty line ends a block, unless the next line is indented.
func TestEmptyLines(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"for i in range(2):\n    x = i\n\n    print(x)\n\nprint(7)\n": "0\n1\n7\n",
		"for i in range(2):\n    print(i)\n\n\n4:1":                   "0\n1\n4:1\n",
		"4:1\n\n  5:1\n": "4:1\n5:1\n",
		"def f():\r\n    return 4:1\r\n\r\nx = f()\r\nx\r\n": "4:1\n4:1\n",
	} {
		r, out, errs := newTest(false)
		if r.plain(strings.NewReader(in)); out.String() != want || errs.Len() > 0 {
			t.Errorf("%q prints %q, %q; want %q", in, out, errs, want)
		}
	}
}
