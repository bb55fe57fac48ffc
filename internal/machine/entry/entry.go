// Package entry gives the kernels of PTX readable names, and finds a kernel by a part of its name. The PTX names of
// kernels in C++ and Rust have hundreds of characters.
package entry

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ianlancetaylor/demangle"

	"girih/ptx"
)

// A Kernel is a kernel of a module.
type Kernel struct {
	Name  string // the name in PTX
	Full  string // the name in the source, with all template arguments and parameters
	Short string // the name in the source, without parameters and without long template arguments
}

const (
	mostShort = 64 // characters of a short name before its template arguments are left out
	mostList  = 20 // kernels that a list names
	maxLength = 16 // longest full name, in characters: a power of two
)

// Of returns the names of the kernel that PTX calls name. All three are equal unless name comes from C++ or Rust.
func Of(name string) Kernel {
	k := Kernel{Name: name, Full: name, Short: name}
	full, err := demangle.ToString(name, demangle.MaxLength(maxLength))
	if err != nil {
		return k
	}
	if k.Full, k.Short = full, full; len(full) > 0 {
		if short, err := demangle.ToString(name, demangle.NoParams, demangle.MaxLength(maxLength)); err == nil {
			k.Short = short
		}
	}
	if len(k.Short) > mostShort {
		k.Short = elide(k.Short)
	}
	return k
}

// elide writes <...> for the template arguments of a name.
func elide(name string) string {
	var b strings.Builder
	depth := 0
	for i, c := range name {
		switch {
		case c == '<' && (depth > 0 || i > 0 && !strings.HasSuffix(name[:i], "operator") && name[i-1] != '<'):
			if depth == 0 {
				b.WriteString("<...>")
			}
			depth++
		case c == '>' && depth > 0 && name[i-1] != '-':
			depth--
		case depth == 0:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// List returns the kernels of a module, in its order.
func List(m *ptx.Module) []Kernel {
	var list []Kernel
	for _, d := range m.Decls {
		if f, ok := d.(*ptx.Func); ok && f.Entry && f.Body != nil {
			list = append(list, Of(string(f.Name)))
		}
	}
	return list
}

// Find returns the kernel of a module that what selects: by its number in [List], from 1; by its name in PTX or in the
// source; or by a part of a name that no other kernel has. "" selects the only kernel. The error lists the kernels of
// the module, or the kernels whose names contain what.
func Find(m *ptx.Module, what string) (Kernel, error) {
	list := List(m)
	if len(list) == 0 {
		return Kernel{}, fmt.Errorf("entry: the PTX has no kernel")
	}
	for _, k := range list {
		if k.Name == what {
			return k, nil
		}
	}
	if n, err := strconv.Atoi(what); err == nil {
		if n < 1 || n > len(list) {
			return Kernel{}, fmt.Errorf("entry: expected a number from 1 to %d, found %d:%s", len(list), n, table(list, nil))
		}
		return list[n-1], nil
	}
	whole, part := matches(list, what)
	switch {
	case len(whole) == 1:
		return list[whole[0]], nil
	case len(part) == 1:
		return list[part[0]], nil
	case len(part) > 1 && what != "":
		return Kernel{}, fmt.Errorf("entry: %.60q is in the names of %d kernels, name one or its number:%s",
			what, len(part), table(list, part))
	case what != "":
		return Kernel{}, fmt.Errorf("entry: the PTX has no kernel %.60q: there %s%s",
			what, are(len(list)), table(list, nil))
	}
	return Kernel{}, fmt.Errorf("entry: the PTX has %d kernels, name one by a part of its name or its number:%s",
		len(list), table(list, part))
}

// matches returns the kernels with the name, and the kernels with a name that contains it.
func matches(list []Kernel, what string) (whole, part []int) {
	for i, k := range list {
		if k.Short == what || k.Full == what {
			whole = append(whole, i)
		}
		if strings.Contains(k.Name, what) || strings.Contains(k.Full, what) || strings.Contains(k.Short, what) {
			part = append(part, i)
		}
	}
	return whole, part
}

// table writes kernels with their numbers, one on each line; an empty list means all kernels.
func table(list []Kernel, which []int) string {
	if len(which) == 0 {
		for i := range list {
			which = append(which, i)
		}
	}
	var b strings.Builder
	for n, i := range which {
		if n == mostList {
			fmt.Fprintf(&b, "\n  ... and %d more", len(which)-n)
			break
		}
		fmt.Fprintf(&b, "\n  %d %s", i+1, list[i].label(list))
	}
	return b.String()
}

// label returns the short name of k, and its name in PTX too if another kernel of the list has the same short name.
func (k Kernel) label(list []Kernel) string {
	n := 0
	for _, x := range list {
		if x.Short == k.Short {
			n++
		}
	}
	if n > 1 && k.Short != k.Name {
		return fmt.Sprintf("%s (%s)", k.Short, k.Name)
	}
	return k.Short
}

func are(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
