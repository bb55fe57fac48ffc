package document_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"girih/internal/lang/document"
)

// shown returns the cells of a document: line, language, code, and the output that the document states.
func shown(t *testing.T, name, text string) string {
	t.Helper()
	d, err := document.Parse(name, text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var b strings.Builder
	for _, c := range d.Cells {
		fmt.Fprintf(&b, "%d %s %q", c.Line, c.Lang, c.Src)
		if c.HasOutput {
			fmt.Fprintf(&b, " -> %q", c.Output)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// TestParse checks where the code of each kind of document is found.
func TestParse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"a.py", "x = 1\n# %% next\ny = 2\n", "1 Python \"x = 1\\n\"\n3 Python \"y = 2\\n\"\n"},
		{
			"a.girih", "# the tile\nA = 4:1\n\nB = composition(A,\n  2:1)  # half (\nsize(B)",
			"1 girih \"# the tile\\nA = 4:1\\n\"\n4 girih \"B = composition(A,\\n  2:1)  # half (\\n\"\n6 girih \"size(B)\"\n",
		},
		{"b.girih", "x = 1\nassert x\n", "1 Python \"x = 1\\nassert x\\n\"\n"},
		{"a.cu", "int x;\n", "1 C++ \"int x;\\n\"\n"},
		{
			"a.md", "Text.\n\n```python\nprint(1)\n```\n\n```output\n1\n```\n\n```bash\nls\n```\n~~~\nauto a = f(4:1);\n~~~\n",
			"4 Python \"print(1)\\n\" -> \"1\\n\"\n15 C++ \"auto a = f(4:1);\\n\"\n",
		},
		{
			"a.md", "```text\nlayout shape: (M)\ntiler shape: <T>\nflat_product: (M,T)\n```\n```text\nflat_product: (M,T)\n```\n",
			"2 girih \"layout shape: (M)\\ntiler shape: <T>\\nflat_product: (M,T)\\n\" -> \"flat_product: (M,T)\\n\"\n",
		},
		{
			"a.md", "```\n(base) ➜  cute git:(main) ✗ python main.py\n(3):(1)\n```\n```\nme@host:~$ ls\n```\n```\n$ ls\n4:1\n```\n```\nA = 4:1\n```\n",
			"13 girih \"A = 4:1\\n\"\n",
		},
		{
			"a.txt", "This page has some words.\nLayout Shape : (M)\nTiler Shape : <T>\n\nflat_product : (M,T)\nAnd more of the same words.\n",
			"2 girih \"Layout Shape : (M)\\nTiler Shape : <T>\\n\\nflat_product : (M,T)\\n\"\n",
		},
		{
			"a.html", "<p>Text</p>\n<pre><code class=\"language-cpp\">auto a = Layout&lt;_4&gt;{};\nprint(a);</code></pre>",
			"2 C++ \"auto a = Layout<_4>{};\\nprint(a);\"\n",
		},
		{
			"a.ipynb", `{"cells":[{"cell_type":"markdown","source":"x"},{"cell_type":"code","source":["%load\n","print(1)"],` +
				`"outputs":[{"output_type":"stream","name":"stdout","text":["1\n"]}]}]}`,
			"2 Python \"\\nprint(1)\" -> \"1\\n\"\n",
		},
		{"-", "A = (6,2):(8,2)\nA(3)\n", "1 girih \"A = (6,2):(8,2)\\nA(3)\\n\"\n"},
		{
			"page.txt", "This page has a few words about layouts.\nPython\nA = Layout([4], [2])\n\nMore words about the layout that follows here.\n" +
				"auto a = make_layout(4,\n  2); // 4:2\nThe end of this page is here now.\n",
			"3 Python \"A = Layout([4], [2])\\n\"\n6 C++ \"auto a = make_layout(4,\\n  2); // 4:2\\n\"\n",
		},
	} {
		if got := shown(t, tt.name, tt.text); got != tt.want {
			t.Errorf("%s:\n%swant\n%s", tt.name, got, tt.want)
		}
	}
	if _, err := document.Parse("a.ipynb", "no JSON"); err == nil {
		t.Error("a notebook that is no JSON is accepted")
	}
	if _, err := document.Parse("a.md", strings.Repeat("x", document.MaxSize+1)); err == nil {
		t.Error("a document beyond the limit is accepted")
	}
}

// TestClaims checks what a cell states of its values, and that the lines that a program has printed are blanked.
func TestClaims(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ src, code, want string }{
		{
			"auto a = f(4,\n  2); // 4:2\n// (8,8):(8,1)\nauto b = g();\nauto c = h();\n 0 2\n 1 3\n",
			"auto a = f(4,\n  2); // 4:2\n// (8,8):(8,1)\nauto b = g();\nauto c = h();\n\n\n",
			`{2 4:2} {4 above (8,8):(8,1)} {5 grid [[0 2] [1 3]]}`,
		},
		{
			"A = Layout([2, 3], [2, 4])\n# Layout A\n#  0 4 8\n#  2 6 10\n# (2,2):(1,2)\n# [0, 2]\n# [1, 3]\nx = [\n  1,\n]\n3 - 4\n",
			"",
			`{3 of A grid [[0 4 8] [2 6 10]]} {6 of (2,2):(1,2) grid [[0 2] [1 3]]}`,
		},
		{
			"def f():\n    pass\nB: Layout(shape=[2, 2], stride=[2, 1])\n    0|   1|\n    2    3\nx: [0, 1, 2, 3]\ny: [0, 2, 1, 3]\n",
			"def f():\n    pass\n\n\n\n\n\n",
			`{3 of B Layout(shape=[2, 2], stride=[2, 1])} {4 of Layout(shape=[2, 2], stride=[2, 1]) grid [[0 1] [2 3]]} ` +
				`{6 of Layout(shape=[2, 2], stride=[2, 1]) table [[0 0] [1 2] [2 1] [3 3]]}`,
		},
		{
			"# shape (2, 2) with its indices\n(0,0)<->0  (0,1)<->2\n(1,0)<->1  (1,1)<->3\n",
			"# shape (2, 2) with its indices\n\n\n",
			`{2 above shape (2, 2) with its indices} {2 of (2, 2) table [[(0,0) 0] [(0,1) 2]]} {3 of (2, 2) table [[(1,0) 1] [(1,1) 3]]}`,
		},
		{
			"auto a = f();\nauto b = g();\n\n// Results\n// 4:1\n// (2,2):(2,1)\n",
			"",
			`{5 back 2 4:1} {6 back 1 (2,2):(2,1)}`,
		},
		{
			"Layout Shape : (M, N, ...)\nTiler Shape  : <TileM>\n\nlogical_divide : ((TileM,RestM), N, ...)\nprint(1)\n",
			"\n\n\n\nprint(1)\n",
			`{4 of logical_divide ((TileM,RestM), N, ...) for (M, N, ...) <TileM>}`,
		},
		{
			"def f():\n  \"\"\"\n  Layout Shape : (M)\n  Tiler Shape : <T>\n  flat_product : (M,T) # two\n  \"\"\"\n# layout shape: (A)\n" +
				"# tiler shape: <B>\n#  - `zipped_product : ((A),(B))`\n",
			"",
			`{5 of flat_product (M,T) for (M) <T>} {9 of zipped_product ((A),(B)) for (A) <B>} {5 two}`,
		},
		{"x = 1\nLayout Shape : (M)\nlogical_divide : ((T,RestM))\n", "x = 1\n\n\n", ""}, // there is no tiler
	} {
		d, err := document.Parse("-", tt.src)
		if err != nil || len(d.Cells) != 1 {
			t.Fatal(d, err)
		}
		code, claims := d.Cells[0].Claims()
		if want := cmp.Or(tt.code, tt.src); code != want {
			t.Errorf("the code is %q, want %q", code, want)
		}
		var got []string
		for _, c := range claims {
			got = append(got, claimText(c))
		}
		if all := strings.Join(got, " "); all != tt.want {
			t.Errorf("%q states\n%s\nwant\n%s", tt.src, all, tt.want)
		}
	}
}

func claimText(c document.Claim) string {
	text := fmt.Sprint(c.Line)
	if c.Above {
		text += " above"
	}
	if c.Of != "" {
		text += " of " + c.Of
	}
	if c.Tiler != "" {
		return "{" + text + " " + c.Text + " for " + c.Layout + " " + c.Tiler + "}"
	}
	if c.Back > 0 {
		text += fmt.Sprint(" back ", c.Back)
	}
	switch {
	case c.Grid != nil:
		text += fmt.Sprint(" grid ", c.Grid)
	case c.Table != nil:
		text += fmt.Sprint(" table ", c.Table)
	default:
		text += " " + c.Text
	}
	return "{" + text + "}"
}

// TestProse checks which lines of a document are prose, and where they are.
func TestProse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"a.md", "One.\n```python\nx = 1\n```\nTwo.\n```bash\nls\n```\n", `1:0 "One." 5:1 "Two."`},
		{"a.html", "<p>One\n<pre>x = 4:1\n</pre>\nTwo &lt;<b>2</b>\n", `1:0 "One" 3:1 "" 4:1 "Two <2"`},
		{
			"a.ipynb", `{"cells":[{"cell_type":"code","source":"x = 1"},{"cell_type":"markdown","source":["One.\n","Two."]}]}`,
			`2:1 "One." 2:1 "Two."`,
		},
		{"-", "This page has a few words.\nauto a = make_layout(4); // 4:1\nAnd more of them are here.\n", `1:0 "This page has a few words." 3:1 "And more of them are here."`},
		{"a.py", "x = 1\n", ""},
	} {
		d, err := document.Parse(tt.name, tt.text)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range d.Lines {
			got = append(got, fmt.Sprintf("%d:%d %q", l.Number, l.Cells, l.Text))
		}
		if all := strings.Join(got, " "); all != tt.want {
			t.Errorf("%s has the prose\n%s\nwant\n%s", tt.name, all, tt.want)
		}
	}
}

// TestDisplays checks the lines that formulas of several lines become.
func TestDisplays(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"One.\nIf so\n$$\na\n= b\n$$\nTwo.":                                    `1 "One." 2 "If so" 4 "$$a = b$$" after "If so " 7 "Two."`,
		"Let $$a &= b \\\\\n&= c, \\\\ d &= e=\n f$$ be so":                    `1 "Let " 1 "$$a = b$$" after "Let " 2 "$$a=b= c$$" after "Let " 2 "$$d = e=  f$$" after "Let " 3 " be so"`,
		"\\begin{align*}X &= 1 \\\\[2pt]\n&= 2 \\tag{3}\n\\end{align*}.":       `1 "$$X = 1$$" after " " 2 "$$X=1= 2$$" after " "`,
		"\\[\n\\begin{pmatrix}a & b\\\\\n{c & d}\\end{pmatrix}\\\\ x\\_y\n\\]": `2 "$$\\begin{pmatrix}a & b\\\\ {c & d}\\end{pmatrix}$$" after " " 3 "$$x\\_y$$" after " "`,
		"$$a$$ and $$b$$\n$$no end\n= x":                                       `1 "$$a$$ and $$b$$" 2 "$$no end" 3 "= x"`,
		"a $$ b\n\n$$c$$":                                                      `1 "a $$ b" 3 "$$c$$"`,
		"$$ there are words in this line\n$$":                                  `1 "$$ there are words in this line" 2 "$$"`,
	} {
		d, err := document.Parse("a.md", in)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range d.Lines {
			if text := fmt.Sprintf("%d %q", l.Number, l.Text); l.Before != "" {
				got = append(got, fmt.Sprintf("%s after %q", text, l.Before))
			} else if l.Text != "" {
				got = append(got, text)
			}
		}
		if all := strings.Join(got, " "); all != want {
			t.Errorf("%q has the lines\n%s\nwant\n%s", in, all, want)
		}
	}
}

// TestFormulas checks the formulas of a line, their sides and the matrices in them.
func TestFormulas(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"First. If `A = (6,2):(8,2)`, $A \\circ B=\\langle 4,2\\rangle$": `"If " ["A" "(6,2):(8,2)"] ` +
			`"If ` + "`A = (6,2):(8,2)`" + `, " ["A  o  B" "< 4,2>"]`,
		"• R(0) = A(0) == 0":                        `"" ["R(0)" "A(0)" "0"]`,
		"one two = three four five six":             "",
		`\(2\times 3\)`:                             `"" ["2* 3"]`,
		"`f(a=1) <= 2` and `a => b`":                `"" ["f(a=1) <= 2"] "` + "`f(a=1) <= 2`" + ` and " ["a => b"]`,
		`$M_{1} = \begin{pmatrix}a=1\end{pmatrix}$`: `"" ["M_1" "\\begin{pmatrix}a=1\\end{pmatrix}"]`,
	} {
		var got []string
		for _, f := range (document.Line{Text: in}).Formulas() {
			got = append(got, fmt.Sprintf("%q %q", f.Before, f.Sides))
		}
		if all := strings.Join(got, " "); all != want {
			t.Errorf("%s has the formulas\n%s\nwant\n%s", in, all, want)
		}
	}
	factors, rest := document.Matrices(`\begin{bmatrix}a&\\&b\end{bmatrix}\begin{pmatrix}x\\y\\\end{pmatrix} z`)
	if got := fmt.Sprintf("%q %s", factors, rest); got != `[[["a" ""] ["" "b"]] [["x"] ["y"]]] z` {
		t.Errorf("the factors are %s", got)
	}
}
