package syntax

import "testing"

// The tests of this file give, for texts as people write matrices and the algebra of linear layouts, the tree that they
// mean.

func TestMatrices(t *testing.T) {
	t.Parallel()
	const one = "(grid (row 1 0) (row 1 1))"
	wantTrees(t, map[string]string{
		`[1 0; 1 1]`:      one,
		`[1, 0; 1, 1]`:    one,
		"[1 0\n 1 1]":     one,
		"[1, 0\n 1, 1]":   one,
		`[1 0; 1 1;]`:     one,
		`[ 1  0 ;1 1 ]`:   one,
		`[1 0 1]`:         "(grid (row 1 0 1))",
		`[1;]`:            "(grid (row 1))",
		`[a b]`:           "(grid (row a b))",
		`[a; b;]`:         "(grid (row a) (row b))",
		`[a _; _ b]`:      "(grid (row a _) (row _ b))",
		"[[1 0]\n [1 1]]": "(grid (row (grid (row 1 0))) (row (grid (row 1 1))))",
		`[[1 0] [1 1]]`:   "(grid (row (grid (row 1 0)) (grid (row 1 1))))",
		`[a o b c]`:       "(grid (row (compose a b) c))",

		`\begin{bmatrix} 1 & 0 \\ 1 & 1 \end{bmatrix}`:                     one,
		"\\begin{pmatrix}1&0\\\\\n1&1\\\\\n\\end{pmatrix}":                 one,
		`$$\begin{bmatrix} 1 & 0 \\ 1 & 1 \end{bmatrix}$$`:                 one,
		`\[ \begin{bmatrix} 1 & 0 \\ 1 & 1 \end{bmatrix} \]`:               one,
		`\left[ \begin{array}{cc} 1 & 0 \\ 1 & 1 \end{array} \right]`:      one,
		`\left(\begin{matrix} 1 & 0 \\ 1 & 1 \end{matrix}\right)`:          "(tuple " + one + ")",
		`\begin{bmatrix}a&\\&b\end{bmatrix}`:                               "(grid (row a _) (row _ b))",
		`\begin{bmatrix}a&b\end{bmatrix}\begin{bmatrix}c\\ d\end{bmatrix}`: "(* (grid (row a b)) (grid (row c) (row d)))",
		`[\begin{bmatrix}1\end{bmatrix} \begin{bmatrix}0\end{bmatrix}]`:    "(grid (row (grid (row 1)) (grid (row 0))))",
		`a \circ \begin{bmatrix}1\end{bmatrix}`:                            "(compose a (grid (row 1)))",
		`f(\begin{bmatrix}1 & 1\end{bmatrix}, 2)`:                          "(call f (grid (row 1 1)) 2)",
		`\begin{bmatrix}1&0\end{bmatrix}(2)`:                               "(apply (grid (row 1 0)) 2)",

		// Tilers stay tilers; rows of 0 and 1 in brackets may be either.
		`[4; 8]`:        "(tiler 4 8)",
		`[4, 8]`:        "(tiler 4 8)",
		`[1, 0]`:        "(tiler 1 0)",
		`[[4,8],[1,1]]`: "(tiler (tiler 4 8) (tiler 1 1))",
		`[[1,1],[1,1]]`: "(bits (tiler 1 1) (tiler 1 1))",
		`<<1,1>,<1,1>>`: "(tiler (tiler 1 1) (tiler 1 1))",
		`[1;0]`:         "(bits 1 0)",
		`[(1,2); 3:1]`:  "(tiler (tuple 1 2) (layout 3 1))",
		`L[1]`:          "(call get(<> 1) L)",
	})
	for src, at := range map[string]int{
		`\begin{bmatrix} 1 \end{pmatrix}`: 18, `\begin{bmatrix}\end{bmatrix}`: 15, `\begin{bmatrix} 1 2 \end{bmatrix}`: 18,
		`\begin{cases} 1 \end{cases}`: 0, `\mathbb{F}`: 0, `$1`: 2, `4^2`: 1, `[1 0;;1 1]`: 5,
	} {
		_, err := Parse(src)
		if e, ok := err.(*Error); !ok || e.Pos != at {
			t.Errorf("Parse(%q): %v, want an error at %d", src, err, at)
		}
	}
}

func TestFormulas(t *testing.T) {
	t.Parallel()
	const product, divide = "(call logical_product a b)", "(call logical_divide a b)"
	wantTrees(t, map[string]string{
		`a^*`: "(call complement^* a)", `a^{*}`: "(call complement^* a)", `a^\ast`: "(call complement^* a)",
		`(a*)`: "(tuple (call complement^* a))", `2:4^*`: "(call complement^* (layout 2 4))",
		`a^{-1}`: "(call inverse a)", `a^-1`: "(call inverse a)", `a⁻¹`: "(call inverse a)",
		`a^T`: "(call transpose a)", `a^{\top}`: "(call transpose a)", `aᵀ`: "(call transpose a)",
		`a.T`: "(call .transpose a)", `a.T()`: "(call .T a)",
		`a × b`: "(call direct_product a b)", `4:1 \times 2:1`: "(call direct_product (layout 4 1) (layout 2 1))",
		`a /_l b`: "(call divide_left a b)", `a/_{\ell} b`: "(call divide_left a b)", `a / _left`: "(/ a _left)",

		`(a, a^* ∘ b)`: product, `(a, a* o b)`: product, `(4:1, 4:1^* o b)`: "(call logical_product (layout 4 1) b)",
		`(a, c^* ∘ b)`:   "(call make_layout a (call compose_complement c b))",
		`a ∘ (b, b^*)`:   divide,
		`a o (b, b*)`:    divide,
		`c o a o (b,b*)`: "(call logical_divide (compose c a) b)",
		`(b, b^*)`:       "(call make_layout b (call complement^* b))",
		`a^* ∘ b ∘ c`:    "(call compose_complement a (compose b c))",
		`c ∘ a^* ∘ b`:    "(compose c (call compose_complement a b))",
		`(a, b)`:         "(tuple a b)",

		`a = b^*`:     "(call is_complement a b)",
		`a^* = b`:     "(call is_complement b a)",
		`f(a) = b`:    "(= (call f a) b)",
		`a /_l b = c`: "(= (call divide_left a b) c)",
		`a * b`:       "(* a b)",
		`a * o`:       "(* a o)",
		`(a * o(1))`:  "(tuple (* a (call o 1)))",
	})
	for _, src := range []string{
		"a = b", "a = ", "(a, b) = c", "[a, b] = c", "auto [a, b] = c", "a[0] = c", "a.f() = c",
		"f(a) = ", "f(a) = b = c", "a ^",
	} {
		if _, err := Parse(src); err == nil {
			t.Errorf("Parse(%q) has no error", src)
		}
	}
}

// wantTrees compares trees, and the trees of their canonical texts.
func wantTrees(t *testing.T, tests map[string]string) {
	t.Helper()
	for src, want := range tests {
		p, err := Parse(src)
		if err != nil || len(p.Stmts) != 1 {
			t.Errorf("Parse(%q): %v", src, err)
			continue
		}
		if got := dump(p.Stmts[0].X); got != want {
			t.Errorf("%q is %s, want %s", src, got, want)
		}
		text := p.Stmts[0].String()
		again, err := Parse(text)
		if err != nil || len(again.Stmts) != 1 || dump(again.Stmts[0].X) != want {
			t.Errorf("the canonical text %q of %q: %v", text, src, err)
		}
	}
}
