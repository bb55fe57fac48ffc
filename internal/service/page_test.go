package service_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"girih/internal/lang/document"
	"girih/internal/lang/interp"
	"girih/internal/service"
)

// pageText returns what the lines of a page show, in a few words each.
func pageText(r service.PageResponse) string {
	var b strings.Builder
	for k, c := range r.Cells {
		if p := strings.TrimSpace(c.Prose); p != "" {
			fmt.Fprintf(&b, "%q\n", p)
		}
		for _, l := range c.Lines {
			fmt.Fprintf(&b, "%d.%d", k, l.Line)
			for _, v := range l.Values {
				fmt.Fprintf(&b, " %s=%s", v.Name, v.Text)
			}
			if l.Times > 1 {
				fmt.Fprintf(&b, " x%d", l.Times)
			}
			if l.Output != "" {
				fmt.Fprintf(&b, " prints %q", l.Output)
			}
			for _, s := range l.Slips {
				fmt.Fprintf(&b, " slip %s", s.Stated)
			}
			if l.Agrees > 0 {
				b.WriteString(" agrees")
			}
			if l.Error != nil {
				fmt.Fprintf(&b, " error %s at %d", l.Error.Code, l.Column)
			}
			if l.Uses > 0 {
				fmt.Fprintf(&b, " uses %d", l.Uses)
			}
			for _, n := range l.Notes {
				fmt.Fprintf(&b, " note %.12s", n)
			}
			b.WriteString("\n")
		}
		if c.Slip != nil {
			fmt.Fprintf(&b, "%d: output %q, stated %q\n", k, c.Slip.Computed, c.Slip.Stated)
		} else if c.Agrees {
			fmt.Fprintf(&b, "%d: output as stated\n", k)
		}
	}
	if p := strings.TrimSpace(r.Rest); p != "" {
		fmt.Fprintf(&b, "%q\n", p)
	}
	return b.String()
}

// TestPage checks what the lines of documents show.
func TestPage(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{
			"a.md", "# Title\n\n```python\nA = make_layout((4,8), stride=(8,1)) # (4,8):(8,1)\nn = size(A)   # 33\nprint(A)\n```\n\n```output\n(4,8):(8,1)\n```\nEnd.\n",
			"\"# Title\"\n0.1 A=(4,8):(8,1) agrees\n0.2 n=32 slip 33\n0.3 prints \"(4,8):(8,1)\\n\"\n0: output as stated\n\"End.\"\n",
		},
		{
			"a.py", "def f(x):\n    y = x * 2\n    return y + 1\n\nz = f(3)\nfor i in range(4):\n    w = i * i\nprint(z,\n      w)\n",
			"0.2 y=6\n0.3 return=7\n0.5 z=7\n0.7 w=0 x4\n0.9 prints \"7 9\\n\"\n",
		},
		{
			"a.ipynb", `{"cells":[{"cell_type":"markdown","source":["# One"]},{"cell_type":"code","source":["def g(a):\n","    b = a + 1\n","    return b"]},` +
				`{"cell_type":"code","source":["print(g(1))\n","q = 5"],"outputs":[{"output_type":"stream","name":"stdout","text":["3\n"]}]}]}`,
			"\"# One\"\n0.2 b=2\n0.3 return=2\n1.1 prints \"2\\n\"\n1.2 q=5\n1: output \"2\", stated \"3\"\n",
		},
		{
			"", "x = 4:1\ny = foo(x)\n", "0.1 x=4:1\n0.2 error name at 5\n",
		},
		{
			"a.html", "<html><head><title>no</title></head><p>Some <b>words</b> &amp; more</p><pre><code class=\"language-cpp\">auto a = Layout&lt;_4&gt;{};</code></pre><p>End</p>",
			"\"Some words & more\"\n0.1 a=4:1\n\"End\"\n",
		},
		{
			"a.cu", "float A[4], B[4];\nTensor a = make_tensor(&A[0], make_layout(Shape<_4>{}));\nTensor b = make_tensor(&B[0], make_layout(Shape<_4>{}));\nfill(a, 2);\ncopy(a, b);\nint bad = 1 / 0;\n",
			"0.2 a=ptr[32b](0) o (4):(1)\n0.3 b=ptr[32b](0) o (4):(1)\n0.5 uses 1\n0.6 error not_divisible at 11\n",
		},
		{"a.md", "No code.\n", "\"No code.\"\n"},
		{"a.py", "x = f(\n", "0.1 error syntax at 0\n"},
		{"a.py", "for i in range(2):\n    print(i)\ndef f():\n    print('in f')\nf()\n", "0.2 x2 prints \"0\\n1\\n\"\n0.4\n0.5 prints \"in f\\n\"\n"},
		{
			"a.cu", "int main() {\n  int n = 2;\n  printf(\"%d\\n\", n);\n  return 0;\n}\n",
			"0.2 n=2\n0.3 prints \"2\\n\"\n0.4 return=0\n",
		},
		{
			"a.py", "import torch\nx = torch.arange(3, dtype=torch.float32)\nprint(x)\n",
			"0.2 x=tensor<ptr<f32, generic> o (3):(1)>\n0.3 prints \"tensor([0., 1., 2.])\\n\"\n",
		},
		{"", "0 1 2 3\n", "0.1 =4:1 prints \"4:1\\n\" note read as 4:1\n"},
	} {
		r := new(service.Session).Page(service.PageRequest{Name: tt.name, Text: tt.text})
		if got := pageText(r); !r.OK || got != tt.want {
			t.Errorf("%s %q: %+v\n%swant\n%s", tt.name, tt.text, r.Error, got, tt.want)
		}
	}
}

// TestPageSeeds checks that the documents in girih open: each cell is at its line, and most values have derivations.
func TestPageSeeds(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("minutes under the race detector, in one goroutine")
	}
	derived := 0
	for i := range 5 {
		name := fmt.Sprintf("seed 00%d", i)
		text, ok := document.Seed(name)
		r := new(service.Session).Page(service.PageRequest{Name: name})
		if !ok || !r.OK {
			t.Fatalf("%s: %+v", name, r.Error)
		}
		lines := strings.SplitAfter(text, "\n")
		for k, c := range r.Cells {
			n := strings.Count(strings.TrimSuffix(c.Source, "\n"), "\n") + 1
			if got := strings.Join(lines[c.At-1:c.At-1+n], ""); got != c.Source {
				t.Errorf("%s: cell %d at line %d is %q, want %q", name, k, c.At, c.Source, got)
			}
			for _, l := range c.Lines {
				if l.Line < 1 || l.Line > n {
					t.Errorf("%s: cell %d has %d lines and a value at %d", name, k, n, l.Line)
				}
				if !l.Derived {
					continue
				}
				at := service.PageRequest{Name: name, Cell: k, Line: l.Line}
				if s := new(service.Session).Page(at); s.OK && len(s.Look.Explanations) > 0 {
					derived++
				}
			}
		}
	}
	if derived < 90 {
		t.Errorf("%d values have derivations", derived)
	}
	for _, name := range []string{"seed 005", "seed ", "seed 0000"} {
		if r := new(service.Session).Page(service.PageRequest{Name: name}); r.OK || r.Error == nil {
			t.Errorf("%q is opened", name)
		}
	}
}

// TestPageEdit checks that what is below an edit follows it, that nothing above does, and that edits of cells that are
// not there are refused.
func TestPageEdit(t *testing.T) {
	t.Parallel()
	const text = "```python\nA = make_layout(4)\n```\n```python\nB = size(A)\n```\n```python\nC = B + 1\n```\n"
	ask := func(q service.PageRequest) service.PageResponse {
		q.Name, q.Text = "a.md", text
		return new(service.Session).Page(q)
	}
	if got := pageText(ask(service.PageRequest{Edited: []int64{1}, Sources: []string{"B = size(A) * 10\nD = B"}})); got !=
		"0.1 A=4:1\n1.1 B=40\n1.2 D=40\n2.1 C=41\n" {
		t.Error(got)
	}
	if got := pageText(ask(service.PageRequest{Edited: []int64{0}, Sources: []string{"A = "}})); got !=
		"0.1 error syntax at 5\n1.1 B=A note A is not bou\n2.1 C=A+1\n" {
		t.Error(got)
	}
	// The statements decide the language again if they did before.
	plain := service.PageRequest{Text: "A = 4:1\n", Edited: []int64{0}, Sources: []string{"auto a = make_layout(Int<8>{});"}}
	if got := pageText(new(service.Session).Page(plain)); got != "0.1 a=8:1\n" {
		t.Error(got)
	}
	for _, q := range []service.PageRequest{
		{Edited: []int64{3}, Sources: []string{""}}, {Edited: []int64{-1}, Sources: []string{""}}, {Edited: []int64{0}},
	} {
		if r := ask(q); r.OK || r.Error == nil {
			t.Errorf("%+v is accepted", q)
		}
	}
}

const pageGemm = `auto m = make_tiled_mma(SM80_16x8x8_F32TF32TF32F32_TN{});
float X[16*8], Y[8*8], Z[16*8];
for (int i = 0; i < 128; ++i) { X[i] = i % 7; Z[i] = i; }
for (int i = 0; i < 64; ++i) { Y[i] = i % 5; }
Tensor x = make_tensor(&X[0], make_layout(Shape<_16,_8>{}));
Tensor y = make_tensor(&Y[0], make_layout(Shape<_8,_8>{}));
Tensor z = make_tensor(&Z[0], make_layout(Shape<_16,_8>{}));
gemm(m, x, y, z);
__global__ void k(float* a, float* b) {
  Tensor g = make_tensor(make_gmem_ptr(a), make_layout(Shape<_16,_8>{}));
  Tensor d = make_tensor(make_gmem_ptr(b), make_layout(Shape<_16,_8>{}, GenRowMajor{}));
  copy(local_partition(g, Layout<Shape<_4,_8>>{}, threadIdx.x), local_partition(d, Layout<Shape<_4,_8>>{}, threadIdx.x));
}
float D[128];
k<<<1, 32>>>(X, D);
`

// TestPageUses checks what threads read and write against the program's own numbers: each element of C is written by
// one thread, and is the sum of products; each element of a copy has the value of its source.
func TestPageUses(t *testing.T) {
	t.Parallel()
	look := func(line int) []interp.Use {
		r := new(service.Session).Page(service.PageRequest{Name: "a.cu", Text: pageGemm, Line: line})
		if !r.OK {
			t.Fatal(r.Error)
		}
		return r.Look.Uses
	}
	x := func(m, k int) int { return (m + 16*k) % 7 }
	y := func(n, k int) int { return (n + 8*k) % 5 }
	uses := look(8)
	if len(uses) != 32 {
		t.Fatalf("%d threads multiply", len(uses))
	}
	written := map[string]string{}
	for i, u := range uses {
		a, b, c := u.Operands[0], u.Operands[1], u.Operands[2]
		if u.Thread != int64(i) || len(a.Coords) != 4 || len(b.Coords) != 2 || len(c.Coords) != 4 || a.Name != "x" {
			t.Fatalf("thread %d: %+v", u.Thread, u)
		}
		for j, at := range a.Coords {
			var m, k int
			fmt.Sscanf(at, "(%d,%d)", &m, &k)
			if a.Before[j] != strconv.Itoa(x(m, k)) || a.Places[j] != int64(m+16*k) {
				t.Errorf("thread %d reads x%s = %s at %d, want %d", i, at, a.Before[j], a.Places[j], x(m, k))
			}
		}
		for j, at := range c.Coords {
			written[at] += c.After[j]
		}
	}
	for m := range 16 {
		for n := range 8 {
			sum := m + 16*n
			for k := range 8 {
				sum += x(m, k) * y(n, k)
			}
			if at := fmt.Sprintf("(%d,%d)", m, n); written[at] != strconv.Itoa(sum) {
				t.Errorf("z%s is %q, want %d", at, written[at], sum)
			}
		}
	}
	moved := map[int64]bool{}
	for _, u := range look(12) {
		src, dst := u.Operands[0], u.Operands[1]
		for j, from := range src.Places {
			m, n := from%16, from/16
			if want := m*8 + n; dst.Places[j] != want || dst.After[j] != strconv.Itoa(x(int(m), int(n))) || dst.Before[j] != "" {
				t.Errorf("thread %d writes %q to %d, want %d to %d", u.Thread, dst.After[j], dst.Places[j], x(int(m), int(n)), want)
			}
			moved[dst.Places[j]] = true
		}
	}
	if len(moved) != 128 {
		t.Errorf("%d elements are copied", len(moved))
	}
}

// TestPageTogether checks the parts of a warp that executes one instruction: each thread brings four values of A.
func TestPageTogether(t *testing.T) {
	t.Parallel()
	const text = `auto mma = make_tiled_mma(SM80_16x8x8_F32TF32TF32F32_TN{});
float X[16*8], Y[8*8], Z[16*8];
for (int i = 0; i < 128; ++i) { X[i] = 1; }
for (int i = 0; i < 64; ++i) { Y[i] = 2; }
auto thr = mma.get_slice(3);
Tensor a = thr.partition_A(make_tensor(&X[0], make_layout(Shape<_16,_8>{})));
Tensor b = thr.partition_B(make_tensor(&Y[0], make_layout(Shape<_8,_8>{})));
Tensor c = thr.partition_C(make_tensor(&Z[0], make_layout(Shape<_16,_8>{})));
Tensor rA = thr.make_fragment_A(a); Tensor rB = thr.make_fragment_B(b); Tensor rC = thr.make_fragment_C(c);
copy(a, rA); copy(b, rB); clear(rC);
gemm(mma, rA, rB, rC);
print(rC(0));
`
	r := new(service.Session).Page(service.PageRequest{Name: "a.cu", Text: text, Line: 11})
	if !r.OK || len(r.Look.Uses) < 32 {
		t.Fatalf("%+v", r)
	}
	for _, u := range r.Look.Uses {
		if c := u.Operands[2]; len(c.After) != 4 || c.After[0] != "16" || c.Before[0] != "0" {
			t.Errorf("thread %d: %+v", u.Thread, c)
		}
	}
	r = new(service.Session).Page(service.PageRequest{Name: "a.cu", Text: text})
	if got := pageText(r); !strings.Contains(got, "0.12 prints \"16") || strings.Count(got, " rA=") != 1 {
		t.Error(got)
	}
}

// TestPageLimits checks that long output is cut and that the program goes on, and that an endless document ends.
func TestPageLimits(t *testing.T) {
	t.Parallel()
	r := new(service.Session).Page(service.PageRequest{Name: "a.py", Text: "for i in range(3000):\n    print('0123456789')\nx = 1\n"})
	if l := r.Cells[0].Lines; len(l[0].Output) > 16<<10 || !l[0].Cut || l[1].Values[0].Text != "1" {
		t.Errorf("%d bytes, %+v", len(l[0].Output), l[1])
	}
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	s := new(service.Session)
	s.Within(ctx, service.Room{})
	r = s.Page(service.PageRequest{Name: "a.md", Text: "```python\nwhile True:\n    x = 1\n```\n```python\ny = 2\n```\n"})
	if l := r.Cells[0].Lines; !r.OK || l[0].Error == nil || l[0].Error.Code != "limit" || len(r.Cells) != 1 {
		t.Errorf("%s", pageText(r))
	}
}

// FuzzPage: no document makes the service panic or run on, and each line is in its cell.
func FuzzPage(f *testing.F) {
	for _, b := range []string{
		"A = 4:1 # 4:1\nA(3)", pageGemm, "```python\nx = 1\n```", "<pre>auto a = 4:1;</pre>", `{"cell_type":1}`, "a\n0 1\n2 3",
	} {
		f.Add("", b, "x = 2", 1)
		f.Add("a.ipynb", b, "", 2)
	}
	f.Fuzz(func(t *testing.T, name, text, source string, line int) {
		if len(text)+len(source) > 4096 {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		for _, q := range []service.PageRequest{
			{Name: name, Text: text},
			{Name: name, Text: text, Edited: []int64{0}, Sources: []string{source}},
			{Name: name, Text: text, Line: line},
		} {
			s := new(service.Session)
			s.Within(ctx, service.Room{})
			for k, c := range s.Page(q).Cells {
				for _, l := range c.Lines {
					if n := strings.Count(strings.TrimSuffix(c.Source, "\n"), "\n") + 1; l.Line < 1 || l.Line > n {
						t.Fatalf("cell %d has %d lines, and a line %d: %q", k, n, l.Line, text)
					}
				}
			}
		}
	})
}

// BenchmarkPage runs each document in girih whole.
func BenchmarkPage(b *testing.B) {
	for i := range 5 {
		q := service.PageRequest{Name: fmt.Sprintf("seed 00%d", i)}
		b.Run(q.Name, func(b *testing.B) {
			for b.Loop() {
				new(service.Session).Page(q)
			}
		})
	}
}
