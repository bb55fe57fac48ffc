package kernel

import "girih/dtype"

// A Fragment is a tensor in registers, as [Kernel.Fragments] returns it.
type Fragment struct {
	Name      string     // as in [Kernel.Listing]; "" without a name
	Registers []string   // as in the module
	Type      dtype.Type // of its elements
	Per       int        // elements of a register: 1 if an element takes one register or more
	Layout    string     // of a thread's elements: "((2,2,2),4,4):((1,2,4),8,32)"
	File      string     // the line that made it
	Line      int
}

// Fragments returns the fragments of the kernel, in the order in which it made them.
func (k *Kernel) Fragments() []Fragment {
	var out []Fragment
	for _, f := range k.fragments {
		x := Fragment{Name: f.name, Type: f.root.elem, Layout: f.root.outer.Layout().String()}
		_, x.Per = f.root.register()
		for _, w := range f.words {
			x.Registers = append(x.Registers, string(w))
		}
		x.File, x.Line = f.pcs.outside()
		out = append(out, x)
	}
	return out
}
