package service_test

import (
	"fmt"
	"strings"
	"testing"

	"girih/internal/check/long"
	"girih/internal/lang/document"
	"girih/internal/service"
)

// TestProseClaims checks what is compared in the prose and in the cells of documents, and what is left alone: each
// text has true claims, false ones at the lines with the sign §, and texts that only look like claims.
func TestProseClaims(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		what, text string
		stated     int
	}{
		{"formulas", `
Take $A = (6,2):(8,2)$ and \(B = (4,3):(3,1)\). Then $A \circ B = ((2,2),3):((24,2),8)$ and $A(B(0)) = A(0) = 0$.
So $A \circ B = ((2,2),3):((24,2),9)$. §
The value is $size(A) = 13$. §
If $size(A) = 13$, then it is not this A. Let $size(A) = size(B) = 14$, where $size(X) = 3$.
$1\times 1+1\times 5=6$, $6/4=1$, $7/4=2$ rounded up, $1+1=0$ for bits, $2^{10}=1024$, $0.5+0.5=1$.
128 * 64 = 8190, §
The sides are as $1:2=2:4$.
# Another section has its own A
$size(A) = 7$`, 7},
		{"rules", `
A rule is ` + "`s0:d0 ++ _1:d1 => s0:d0`, `s0:d0  ++  s1:s0*d0  =>  s0*s1:d0`" + `.
The last rule is ` + "`s0:d0 ++ s1:d1 => (s0,s1):(d0:d1)`" + ` §
And ` + "`20:2 o 5:4 => 5:8`, `(6,2) / 2 => (3,2)`, `(V) x (V) => (V)`, `x => x + 1`" + `.
` + "`20:2 o 5:4 => 5:9`" + ` §`, 5},
		{"matrices", `
$$L=(2,2):(2,1)$$ with $$L=Mx=\begin{bmatrix}0&1\\1&0\\0&0\end{bmatrix}\begin{bmatrix}x_1\\x_2\end{bmatrix}$$.
$$L=\begin{bmatrix}0&0\\1&0\\0&0\end{bmatrix}x$$ §
$$\begin{bmatrix}A_1&A_2\end{bmatrix}\begin{bmatrix}B&\\&I\end{bmatrix}=\begin{bmatrix}A_1B&A_2\end{bmatrix}$$
$$\begin{bmatrix}A_1&A_2\end{bmatrix}\begin{bmatrix}B&\\&I\end{bmatrix}=\begin{bmatrix}A_1B&\\&A_2\end{bmatrix}$$ §
$$X\otimes Y=(X, X^*\circ Y)$$
As a matrix this is $$\begin{bmatrix}X&X^*Y\end{bmatrix}$$.
$$X\otimes Y=(X, X^*\circ Y)$$
As a matrix this is $$\begin{bmatrix}X&\\&X^*Y\end{bmatrix}$$. §
$$L_1\times L_2=\begin{bmatrix}M_1&\\&M_2\end{bmatrix}$$
and $$\begin{bmatrix}a+b&c\end{bmatrix}=\begin{bmatrix}c&c\end{bmatrix}$$`, 6},
		{"displays", `
Take
$$
A = (6,2):(8,2)
$$
and \[
B = (4,3):
    (3,1) .
\] Then

$$
\begin{aligned}
A \circ B &= ((2,2),3):((24,2),8) \\
          &= ((2,2),3):((24,2),9) \tag{1}\\[4pt] §
size(A)   &=& 12 \\
size(B)   &= §
   13
\end{aligned}
$$

\begin{align*}
L &= (4,2):(1,4) \\ &= 8:1 \\
  &= 8:2 §
\end{align*}

If A is another one,
or else
$$
size(A) = 14
$$
then so. In one line: $$\begin{aligned} size(A) &= 12 \\ &= 15 \end{aligned}$$, §
or $$size(A)=16$$. §

` + "```math\nsize(B) §\n = 17\n```" + `

Let M be so; it is false that $$
size(A) = 18
$$

$$L = \begin{bmatrix}
  1 & 0 & 0 \\
  0 & 1 & 0 \\
  0 & 0 & 1
\end{bmatrix} x$$
$$L = §
\begin{bmatrix}
  1 & 1 & 0 \\
  0 & 1 & 0 \\
  0 & 0 & 1
\end{bmatrix} x$$

Here $$ these are many words and
size(A) = 19 $$ which are no formula. $$
and one without an end: size(A) = 20

\begin{align}
size(A) = 21 §`, 12},
		{"relations", `
The layout (4,2):(1,4) can be seen as 8:1. The layout (4,2):(2,1) is equivalent to 8:1. §
The complement of 4:2 under $N = 24$ is (2,3):(1,8).
The complement of 4:2 under $N = 24$ is (2,3):(1,9). §
The size of (4,8):(8,1) is 32, and (4,8):(8,1) has shape (4,8).
The rank of (4,8):(8,1) is 3. §
$X=2:4$, $Y=4:1$: X and Y are complements of each other in [0, 8).
布局 (4,2):(1,4) 可以看做 8:1, (4,8):(8,1) 的 size 为 32
(4,2):(2,1) 实际上可以看做一个合并的 8:1 §
$P=2:4$, $Q=(2,2):(2,1)$, 则$P$和$Q$各自是在$[0, 8)$范围内的补 §
A tensor of shape (2,3,4) is not a layout, and an unknown Z has size 4.`, 14},
		{"tables", `
| Expression | Result |
|--|--|
| coalesce((2,4):(1,2)) | 8:1 |
| (4,2):(2,1) o 4:1 | 4:3 | §

| Kernel | Result |
|--|--|
| 4:2 | 4:3 |`, 2},
		{"threads", `
Below, (T0,V0) to (T1,V0) is a stride of 8, (T0,V0) to (T0,V1) a stride of 1 and (T0,V0) to (T4,V0) a stride of 4.
(T0,V0)→(T1,V1), the stride is 4. §
` + "```cpp\nusing ALayout = Layout<Shape<Shape<_4,_2>,_4>, Stride<Stride<_8,_4>,_1>>;\n" +
			"using ThrID = Layout<Shape<_4,_2>, Stride<_1,_16>>;\n```" + `
The physical threads are 0~3, 16~19, and not 0~31.
The physical threads are 1~3, 16~19. §
(m, n) == m + n * M with M=8: (0,0)→(1,0)(0,0)→(0,1), strides are 1, 8.
(0,0)→(1,0)(0,0)→(0,2), strides are 1, 8. §
` + "```cpp\nTiledMMA mma = make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT{}, " +
			"Layout<Shape<_2,_2>, Stride<_2,_1>>{}, Tile<_32,_32,_4>{});\n```" + `
T0V0 => (0,0) T0V3 => (3,0) T0V4 => (16,0) T16V0 => (4,0)
T0V3 => (0,0) §`, 15},
		{"what is above a cell", `
The layout of shape (2,3,4) is column-major, and a natural layout of shape (2,3) is
` + "```python\nLayout(shape=[2, 3], stride=[1, 2])\n```" + `
A tensor of the shape (2,3) has the row-major layout §
` + "```python\nLayout(shape=[2, 3], stride=[1, 2])\n```" + `
A natural coordinate of it: (0,1), or (0,(0,2)) of another one.
A tensor of the shape (2,3) has the row-major layout

Much later, after other words,

and after even more of them,

there is some code:
` + "```python\nLayout(shape=[2, 3], stride=[1, 2])\n```" + `
`, 2},
	} {
		checkSlips(t, tt.what, tt.text, tt.stated)
	}
}

// checkSlips checks how many values a document of Markdown states, and that its slips are at the lines with the sign
// §.
func checkSlips(t *testing.T, what, text string, stated int) {
	t.Helper()
	r := new(service.Session).Run(service.RunRequest{Program: strings.ReplaceAll(text, " §", ""), Name: "a.md", Check: true})
	found := map[int]bool{}
	for _, s := range r.Slips {
		found[s.Line] = true
	}
	line := 0
	for l := range strings.Lines(text) {
		line++
		if isSlip := strings.Contains(l, "§"); isSlip != found[line] {
			t.Errorf("%s: line %d, %q: slip %v, want %v", what, line, l, found[line], isSlip)
		}
	}
	if r.Checked != stated {
		t.Errorf("%s: %d values are stated, want %d: %+v", what, r.Checked, stated, r.Slips)
	}
}

// TestSeedSlips checks that the slips of the documents from which girih grew are marked, and nothing else.
func TestSeedSlips(t *testing.T) {
	t.Parallel()
	long.Alone(t)
	for name, want := range map[string]string{
		"seed 000": "[42 50 144 162 178 341]",
		"seed 001": "[22 25 29 37 39 39 57 66]",
		"seed 002": "[]",
		"seed 003": "[54 73 176 191 214 231 264 274 340]",
		"seed 004": "[14 21 60 61 97]",
	} {
		text, ok := document.Seed(name)
		if !ok {
			t.Fatalf("there is no %s", name)
		}
		r := new(service.Session).Run(service.RunRequest{Program: text, Check: true})
		lines := make([]int, len(r.Slips))
		for i, s := range r.Slips {
			lines[i] = s.Line
		}
		if got := fmt.Sprint(lines); got != want {
			t.Errorf("%s has slips in the lines %s, want %s", name, got, want)
		}
		page := new(service.Session).Page(service.PageRequest{Name: name})
		in := len(page.InProse)
		for _, c := range page.Cells {
			for _, l := range c.Lines {
				in += len(l.Slips)
			}
		}
		if in != len(lines) {
			t.Errorf("the page of %s has %d slips, want %d", name, in, len(lines))
		}
	}
}

// TestPrintedClaims checks grids, tables and layouts that a program has printed.
func TestPrintedClaims(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		src, want string
		stated    int
	}{
		{"A = Layout([2, 3], [2, 4])\n# Layout A\n#  0 4 8\n#  2 6 10\nA = Layout([2], [1])", "", 1},
		{"A = Layout([2, 3], [2, 4])\n# Layout A\n#  0 4 8\n#  2 6 11\n", "3: at (1,2) the grid has 11, and the layout 10", 1},
		{"# (4,3):(3,1)\ncoord: [0, 1, 2, 3]\nvalue: [0, 3, 6, 9]\n", "", 1},
		{"# (4,3):(3,1)\ncoord: [0, 3, 6, 9]\nvalue: [0, 1, 2, 3]\n", "", 1},
		{"# (4,3):(3,1)\ncoord: [0, 1, 2, 3]\nvalue: [0, 3, 6, 8]\n", "2: at 3 the table has 8, and the layout 9", 1},
		{"# (4,3):(3,1)\ncoord: [0, 1, 2, 3]\nvalue: [5, 4, 6, 8]\n", "", 0},
		{"# shape (2, 3)\n(0,0)<->0 (0,1)<->2\n(1,0)<->1 (1,1)<->4\n", "3: at (1,1) the table has 4, and the layout 3", 2},
		{"A = Layout([4], [2])\nA: Layout(shape=[4], stride=[3])\n", "2: at 3 of 4; first at 1, index 1: A gives 3, B gives 2", 1},
		{"A = Layout([2,2], [2, 1])\nA: Layout(shape=[4], stride=[1])\n 0 2\n 1 3\n", "2: at 2 of 4; first at 1, index 1: A gives 1, B gives 2", 2},
		{"Shape :  (2,2)\nStride:  (2,1)\n  0  1\n  2  3\n", "", 1},
		{"Shape :  (2,2)\nStride:  (2,1)\n  0  2\n  1  3\n", "3: at (0,1) the grid has 2, and the layout 1", 1},
		{"a = 4:1\nb = 4:2\n\n# Results\n# 4:1\n# 4:3\n", "6: at 3 of 4; first at 1, index 1: A gives 3, B gives 2", 2},
		{"a = 4:1  # EP=8, of others\nb = 8  # EP=9\nc = 7 # c = 8", "3: the values differ", 1},
		{"a = 4:1\nb = 4:2\n\n# Others\n# 4:5\n# 4:3\n", "", 0},
	} {
		r := new(service.Session).Run(service.RunRequest{Program: tt.src, Check: true})
		var got []string
		for _, s := range r.Slips {
			got = append(got, fmt.Sprintf("%d: %s", s.Line, s.Words))
		}
		if all := strings.Join(got, " "); !r.OK || all != tt.want || r.Checked != tt.stated {
			t.Errorf("%q: %v, %d values, slips %q; want %d, %q", tt.src, r.Error, r.Checked, all, tt.stated, tt.want)
		}
	}
}

// TestOutputClaims checks the outputs that are compared with the output of a cell, and those that are left alone.
func TestOutputClaims(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ code, output, want string }{
		{"print(1)\nprint(2)", "1\n2", ""},
		{"print(1)\nprint(2)", "1\n3", "line 2 of the output differs"},
		{"print(1)\nprint(2)", "2\n1", ""},                        // a card may print its lines in any order
		{"print(1)\nprint(2)", "tensor at 0x00000a5f1d50\n3", ""}, // the stated output depends on addresses
		{"print(1)\nprint(2 +)", "2", ""},                         // a syntax error: nothing runs
		{"print(1)\nthere_is_none()\nprint(3)", "1\n2\n3", ""},    // the program fails before its end
		{"x = 4:1", "a -> b -> c", ""},                            // the stated output is a figure
		{"print(1)", "<Layout object at 0x7fc95a4ca7b0>", ""},     // the printed value has no text of its own
		{"print(1)\nprint(2)", "<Layout object at 0x7fc95a4ca7b0>\n3", "line 2 of the output differs"},
	} {
		text := "```python\n" + tt.code + "\n```\n```output\n" + tt.output + "\n```\n"
		r := new(service.Session).Run(service.RunRequest{Program: text, Name: "a.md", Check: true})
		words := ""
		for _, s := range r.Slips {
			words += s.Words
		}
		if words != tt.want {
			t.Errorf("%q with %q: %q, want %q", tt.code, tt.output, words, tt.want)
		}
	}
}

// TestSayings checks the general sentences that are false, in both languages, and those that are true.
func TestSayings(t *testing.T) {
	t.Parallel()
	const text = `
我们有 coord · stride = s_0d_0 + s_1d_1 §
The index is coord * stride = x_0 d_0 + x_1 d_1.
If all are powers of two, they always compose. §
In composition, powers of two always work if B is injective.
All products are rank-sensitive: all are rank-sensitive. §
blocked_product and raked_product are rank-sensitive products.
The number of non-zero rows is the rank. §
The rank is the number of non-zero rows of the echelon form.
In a concatenation the domains must be disjoint. §
In a concatenation the codomains must be disjoint.
$L^* = \begin{bmatrix}M & 0 \\ 0 & I\end{bmatrix}$ §
$(L,L^*) = \begin{bmatrix}M & 0 \\ 0 & I\end{bmatrix}$
In the product, A is the outer loop, B is the inner loop. §
In the product, A is the inner loop, B is the outer loop.
On Hopper the inputs are in shared memory. §
On Hopper the inputs are in shared memory, or A in registers.
Composition is left-distributive over concatenation if B is injective. §
Composition is left-distributive over concatenation if B is injective and no leaf carries: it is not always.
GMMA has 64xN, where N can be [16, 32, 64]. §
GMMA includes 64xN with N = [16, 32, 64].
It is false that the number of non-zero rows is the rank.
根据非全零的行的数量，也就是矩阵的秩 §
阶梯形矩阵中非零行的数量就是秩
在复合中, 数值都是2^n, 整除性就会得到保障 §
拼接时定义域必须互斥 §
拼接时陪域必须互斥，而不是定义域应该互斥
乘法:A作为外层循环,B作为内层循环 §
这些乘法都是 rank sensitive 的 §
H架构,输入数据在SMEM里 §
H架构,输入数据可以在寄存器里
当B是单射时, 复合满足左分配律 §`
	checkSlips(t, "sayings", text, strings.Count(text, "§"))
	for _, expr := range service.SayingExamples() {
		if r := new(service.Session).Eval(service.EvalRequest{Expr: expr}); !r.OK || r.Value != "true" {
			t.Errorf("%s is %s %v", expr, r.Value, r.Error)
		}
	}
}
