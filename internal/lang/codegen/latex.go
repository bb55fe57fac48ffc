package codegen

import (
	"fmt"
	"strconv"
	"strings"
)

// This file writes mathematics for LaTeX. The colon is {:}, without the space around a relation, because it
// binds tighter than \circ: $\mathrm{Sw}\langle 3,4,3\rangle \circ 0 \circ (8,64){:}(64,1)$.

type latexWriter struct{ strings.Builder }

func writeLaTeX(n node) (string, error) {
	w := new(latexWriter)
	w.WriteByte('$')
	w.node(n)
	w.WriteByte('$')
	return w.String(), nil
}

func (w *latexWriter) node(n node) {
	switch n := n.(type) {
	case boolean:
		fmt.Fprintf(w, `\mathrm{%t}`, bool(n))
	case order:
		fmt.Fprintf(w, `\mathrm{%s}`, string(n))
	case tuple:
		w.tree(n.tree)
	case layout:
		w.tree(n.shape)
		w.WriteString(`{:}`)
		w.tree(n.stride)
	case swizzle:
		fmt.Fprintf(w, `\mathrm{Sw}\langle %d,%d,%d\rangle`, n.b, n.m, n.s)
	case composed:
		for _, s := range n.stages {
			w.node(s.outer)
			w.WriteString(` \circ `)
			w.tree(s.offset)
			w.WriteString(` \circ `)
		}
		w.node(n.inner)
	case keep:
		w.WriteString(`\_`)
	case tile:
		w.items(`\langle `, n, `\rangle`)
	case list:
		w.items(`\{`, n, `\}`)
	}
}

func (w *latexWriter) items(begin string, ns []node, end string) {
	w.WriteString(begin)
	for i, n := range ns {
		if i > 0 {
			w.WriteString(`,\, `)
		}
		w.node(n)
	}
	w.WriteString(end)
}

func (w *latexWriter) tree(t tree) {
	switch t := t.(type) {
	case number:
		w.WriteString(latexNumber(t, levelAdd))
	case sum:
		for i, t := range t {
			text := latexTerm(t)
			if i > 0 && !strings.HasPrefix(text, "-") {
				w.WriteByte('+')
			}
			w.WriteString(text)
		}
	case open:
		w.WriteString(`\_`)
	case branch:
		w.WriteByte('(')
		for i, e := range t {
			if i > 0 {
				w.WriteByte(',')
			}
			w.tree(e)
		}
		w.WriteByte(')')
	}
}

// latexTerm returns 2\,\mathbf{e}_{1}.
func latexTerm(t term) string {
	factor := latexNumber(t.scale, levelMul)
	if t.scale.formula == nil && (t.scale.static == 1 || t.scale.static == -1) {
		factor = strings.TrimSuffix(factor, "1")
	}
	if factor != "" && factor != "-" {
		factor += `\,`
	}
	return factor + `\mathbf{e}_{` + indices(t.path, ",") + `}`
}

func latexNumber(x number, least int) string {
	if x.formula == nil {
		return strconv.FormatInt(x.static, 10)
	}
	return speaker{latexExpr, latexName}.text(x.formula, least)
}

// latexName returns the symbol; a name of several letters is set upright, as one word.
func latexName(s symbol) string {
	switch {
	case s == "":
		return "?"
	case len(s) == 1:
		return string(s)
	}
	return `\mathrm{` + strings.ReplaceAll(string(s), "_", `\_`) + `}`
}
