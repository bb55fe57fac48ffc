package kernel

import (
	"fmt"
	"strings"

	"girih/cute"
	"girih/ptx"
)

// This file names the registers of fragments in texts for people: %tCrC_3 is register 3 of the fragment tCrC. The
// module itself, which the driver reads, has the short names.

// Name gives a fragment a name, for errors and for the registers in [Kernel.Listing] and [Kernel.CUDA]: %name_0,
// %name_1 and so on. It returns the fragment. Without it, the fragments of a [ThrMMA] are tCrA, tCrB and tCrC, and the
// fragment like x is rx; a number follows if there are several. A tensor in tensor memory has a name, too. It fails
// with [cute.CodeName] for a name that PTX and C++ do not take, and [cute.CodeType] for a tensor in other memory.
func (k *K) Name(name string, t Tensor) Tensor {
	if !k.has("name", t) {
		return t
	}
	switch {
	case !isIdentifier(name):
		k.refuseName("the name of a fragment", name)
	case t.root.space == TensorMemory: // which has no registers
	case t.root.space != Registers:
		k.refuse("name", cute.CodeType, "expected a fragment, found %v", t)
	default:
		k.label(t, name)
	}
	t.root.name = name
	return t
}

// label sets the name of the registers of a fragment, which other tensors may view.
func (k *K) label(t Tensor, name string) Tensor {
	if t.root == nil || !isIdentifier(name) {
		return t
	}
	words := t.root.storage().words
	for i := len(k.fragments) - 1; i >= 0 && len(words) > 0; i-- {
		if f := &k.fragments[i]; len(f.words) > 0 && f.words[0] == words[0] {
			f.name = name
			break
		}
	}
	return t
}

// like returns the name of the registers of a fragment like t.
func (t Tensor) like() string {
	if t.root == nil || t.root.space == Registers || t.root.space == Coordinates {
		return ""
	}
	return "r" + t.root.name
}

// A legend is the names of registers in a text, and the lines that declare them.
type legend struct {
	names map[string]string // by the short names
	lines []string
}

// legend returns the names of the registers of fragments, which begin with a mark.
func (k *Kernel) legend(mark string) legend {
	l, used := legend{names: map[string]string{}}, map[string]bool{}
	for _, f := range k.fragments {
		if f.name == "" || len(f.words) == 0 {
			continue
		}
		name := f.name
		for n := 2; used[name]; n++ {
			name = fmt.Sprint(f.name, n)
		}
		used[name] = true
		typ := ptx.B32
		if strings.HasPrefix(string(f.words[0]), "%rd") {
			typ = ptx.B64
		}
		for i, w := range f.words {
			l.names[string(w)] = fmt.Sprintf("%s%s_%d", mark, name, i)
		}
		about := fmt.Sprintf("// %s: %v %v", name, f.root.elem, f.root.outer.Layout())
		if _, per := f.root.register(); per > 1 {
			about += fmt.Sprintf(", %d in a register", per)
		}
		l.lines = append(l.lines, about, fmt.Sprintf(".reg .%s %s%s_<%d>;", typ, mark, name, len(f.words)))
	}
	return l
}

// rename replaces the registers in a text.
func (l legend) rename(text string) string {
	if len(l.names) == 0 || !strings.Contains(text, "%r") {
		return text
	}
	return registers.ReplaceAllStringFunc(text, func(r string) string {
		if name, ok := l.names[r]; ok {
			return name
		}
		return r
	})
}
