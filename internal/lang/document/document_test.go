package document_test

import (
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
		{"a.cu", "int x;\n", "1 C++ \"int x;\\n\"\n"},
		{
			"a.md", "Text.\n\n```python\nprint(1)\n```\n\n```output\n1\n```\n\n```bash\nls\n```\n~~~\nauto a = f(4:1);\n~~~\n",
			"4 Python \"print(1)\\n\" -> \"1\\n\"\n15 C++ \"auto a = f(4:1);\\n\"\n",
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

// TestClaims checks what a cell states of its values.
func TestClaims(t *testing.T) {
	t.Parallel()
	d, err := document.Parse("-", "auto a = f(4,\n  2); // 4:2\n// (8,8):(8,1)\nauto b = g();\nauto c = h();\n 0 2\n 1 3\n")
	if err != nil || len(d.Cells) != 1 {
		t.Fatal(d, err)
	}
	code, claims := d.Cells[0].Claims()
	if want := "auto a = f(4,\n  2); // 4:2\n// (8,8):(8,1)\nauto b = g();\nauto c = h();\n\n\n"; code != want {
		t.Errorf("the code is %q, want %q", code, want)
	}
	want := "[{2 false 4:2 []} {4 true (8,8):(8,1) []} {5 false  [[0 2] [1 3]]}]"
	if got := fmt.Sprint(claims); got != want {
		t.Errorf("the claims are %s, want %s", got, want)
	}
}
