package paste

import (
	"fmt"
	"strings"

	"girih/internal/lang/eval"
	"girih/internal/lang/reader"
	"girih/internal/pattern"
)

// This file finds the expressions for the encodings of a pasted module of Triton: a tensor<128x64xf16, #mma> has the
// layout linear(nvidia_mma{...}, (128,64)), where the text defines #mma, and an encoding that the text defines has the
// shape of the first tensor that uses it.

// rePlaceholder is the name of an attribute of MLIR.
const rePlaceholder = pattern.Pattern(`#[A-Za-z_][A-Za-z0-9_$.]*`)

// Limits on the search in a text: encodings nest, and a text may define thousands.
const (
	maxEncodings    = 256
	maxEncodingText = 4096 // limits an encoding in which all names are replaced, in bytes
	maxNested       = 16
)

// encodings sets the expressions of the tensors and encodings of a module.
func (r *Reader) encodings(items []reader.Item, exprs []string) {
	m := module{r: r, defined: map[string]string{}, shapes: map[string]string{}, known: map[string]bool{}}
	for _, it := range items {
		if strings.HasPrefix(it.Name, "#") && it.Record != "" {
			m.defined[it.Name] = it.Text
		}
	}
	for _, it := range items {
		if encoding, shape, ok := tensorOf(it); ok {
			if text, ok := m.resolve(encoding); ok && m.shapes[text] == "" {
				m.shapes[text] = shape
			}
		}
	}
	for i, it := range items {
		if it.Record == "" || exprs[i] != "" {
			continue
		}
		encoding, shape, ok := tensorOf(it)
		text, resolved := m.resolve(encoding)
		if !ok {
			text, resolved = m.resolve(it.Text)
			shape = m.shapes[text]
		}
		if resolved && shape != "" {
			exprs[i] = m.linear(text, shape)
		}
	}
}

// A module holds what the texts of a Triton module define for each other.
type module struct {
	r       *Reader
	defined map[string]string // by name: the text of the encoding
	shapes  map[string]string // by encoding: the shape of the first tensor that has it
	known   map[string]bool   // by expression that was tried: whether it has a value
}

// tensorOf returns the encoding and the shape of a tensor or a descriptor of memory.
func tensorOf(it reader.Item) (encoding, shape string, ok bool) {
	if it.Record != "tensor" && it.Record != "memdesc" {
		return "", "", false
	}
	f := fieldsOf(it)
	inner, isList := strings.CutPrefix(f["shape"], "[")
	return f["encoding"], "(" + strings.TrimSuffix(inner, "]") + ")", isList && f["encoding"] != ""
}

// resolve returns the encoding with its names replaced by the encodings that the text defines. ok is false if a name is
// not defined.
func (m *module) resolve(text string) (resolved string, ok bool) {
	for range maxNested {
		if !strings.Contains(text, "#") {
			return text, true
		}
		ok := true
		text = rePlaceholder.ReplaceAllStringFunc(text, func(name string) string {
			value, defined := m.defined[name]
			ok = ok && defined
			return value
		})
		if !ok || len(text) > maxEncodingText {
			return "", false
		}
	}
	return "", false
}

// linear returns the expression of the layout of an encoding for a shape, empty if there is no such layout.
func (m *module) linear(encoding, shape string) string {
	expr := fmt.Sprintf("linear(%s, %s)", encoding, shape)
	ok, tried := m.known[expr]
	if !tried && len(m.known) < maxEncodings {
		fresh := *m.r
		fresh.Env = new(eval.Env)
		m.r.bind(fresh.Env)
		_, fault := fresh.Run(expr)
		ok = fault == nil
		m.known[expr] = ok
	}
	if !ok {
		return ""
	}
	return expr
}
