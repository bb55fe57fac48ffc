package dtype

import (
	"fmt"
	"strings"
)

// spellings maps every name, in lower case, to its type.
var spellings = func() map[string]Type {
	m := make(map[string]Type)
	for _, t := range All() {
		for _, name := range t.Spellings() {
			m[strings.ToLower(name)] = t
		}
	}
	return m
}()

// qualifiers are prefixes that people write before a name.
var qualifiers = []string{
	"cutlass::", "cute::", "std::", "cutlass.", "cute.", "ttgl.", "gl.", "tl.", "torch.", "numpy.", "np.", "jnp.",
	"ml_dtypes.", ".",
}

// Spellings returns the names that [Parse] reads for the type, without repetition: first its own, then the names of
// CUTLASS, the CuTe DSL, Triton and PyTorch, then others. A CUTLASS name of an integer type is not listed for raw bits.
func (t Type) Spellings() []string {
	r := t.row()
	names := append([]string{r.name, r.cpp, r.dsl, r.triton, r.torch}, strings.Fields(r.more)...)
	if r.kind == Raw && t != B128 {
		names[1] = ""
	}
	seen := make(map[string]bool)
	out := names[:0]
	for _, name := range names {
		if name != "" && !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	return out
}

// Parse returns the type with the given name, in the spelling of CUTLASS, PTX, the CuTe DSL, Triton, PyTorch, MLIR or
// CUDA, with or without qualifiers: "half_t", "cutlass::half_t", ".f16", "Float16", "fp16", "torch.float16", "f16".
// Upper and lower case do not matter. "16b" and "b16" are 16 bits without a meaning. It returns [CodeName] for any
// other name, with a list of all types.
func Parse(name string) (Type, error) {
	s := strings.ToLower(strings.TrimSpace(name))
	for _, q := range qualifiers {
		if rest, ok := strings.CutPrefix(s, q); ok {
			s = rest
			break
		}
	}
	if t, ok := spellings[s]; ok {
		return t, nil
	}
	return none, &Error{
		Code: CodeName, Msg: fmt.Sprintf(
			"%.40q is no element type: the types are %s, also by their names in CUTLASS, the CuTe DSL, Triton and PyTorch",
			name, list()),
	}
}

func list() string {
	var names []string
	for _, t := range All() {
		names = append(names, t.String())
	}
	return strings.Join(names, " ")
}
