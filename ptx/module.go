package ptx

import (
	"io"
	"iter"
)

// Module is a file of PTX.
type Module struct {
	Version     Version  // .version
	Target      []string // .target: the architecture, then options: "sm_90a", "debug"
	AddressSize int      // .address_size, in bits: 32 or 64, or 0 if not stated
	Decls       []Decl
}

// Version is a version of the PTX ISA, such as 8.7.
type Version struct{ Major, Minor int }

// Node is a part of a module: a [Decl], [Stmt] or [Operand]. String returns the text of the node in a module, without
// indentation.
type Node interface{ String() string }

// Decl is a declaration at the top level of a module: *[Var], *[Func], *[Alias], *[File], *[Pragma], *[Section].
type Decl interface {
	Node
	decl()
	appendTo(dst []byte, depth int) []byte
}

// Pos is the position in the source at which a node begins. Line and Col count from 1, Col in bytes; both are 0 without
// a source. Positions do not affect the meaning of a tree.
type Pos struct{ Line, Col int32 }

// File assigns a number to a source file (PTX ISA 11.5).
type File struct {
	Index     int
	Name      string // the text between the quotes
	Timestamp int64  // printed together with Size if Timestamp or Size is not 0
	Size      int64
}

// Section is a section of debug information (PTX ISA 11.5), as text.
type Section struct {
	Name string // ".debug_info"
	Text string // the trimmed text between the braces; inner braces and quotes balance
}

// Alias declares Name as an alias of the function Of (PTX ISA 11.2).
type Alias struct{ Name, Of Name }

// Pragma is a hint for the module, or for the statements after it (PTX ISA 11.4).
type Pragma struct {
	Strings []string // the texts between the quotes
}

func (*Var) decl()     {}
func (*Func) decl()    {}
func (*Alias) decl()   {}
func (*File) decl()    {}
func (*Pragma) decl()  {}
func (*Section) decl() {}

// Funcs returns the functions and kernels of m, declared or defined, in order.
func (m *Module) Funcs() iter.Seq[*Func] {
	return func(yield func(*Func) bool) {
		for _, d := range m.Decls {
			if f, ok := d.(*Func); ok && !yield(f) {
				return
			}
		}
	}
}

// Func returns the function or kernel called name: its definition if there is one, otherwise its first declaration, or
// nil without either.
func (m *Module) Func(name Name) *Func {
	var found *Func
	for f := range m.Funcs() {
		switch {
		case f.Name != name:
		case f.Body != nil:
			return f
		case found == nil:
			found = f
		}
	}
	return found
}

// WriteTo writes the text of m to w, as [io.WriterTo] requires. It returns the errors of w.
func (m *Module) WriteTo(w io.Writer) (int64, error) {
	n, err := w.Write(m.appendTo(nil))
	return int64(n), err
}
