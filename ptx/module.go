package ptx

import (
	"io"
	"iter"
)

// Module is a file of PTX.
type Module struct {
	Version     Version  // .version
	Target      []string // .target: the architecture, then options: "sm_90a", "debug"
	AddressSize int      // .address_size, in bits: 32 or 64, or 0 if it is not stated
	Decls       []Decl
}

// Version is a version of the PTX ISA: 8.7.
type Version struct{ Major, Minor int }

// Node is a part of a module: [Decl], [Stmt], [Operand]. String returns its text as in a module, without indentation.
type Node interface{ String() string }

// Decl is a declaration at the top level of a module: *[Var], *[Func], *[Alias], *[File], *[Pragma], *[Section].
type Decl interface {
	Node
	decl()
	appendTo(dst []byte, depth int) []byte
}

// Pos is where a node begins in its source. Line and column count from 1, columns in bytes; both are 0 without a
// source. Positions are not part of the meaning of a tree.
type Pos struct{ Line, Col int32 }

// File gives a number to a source file (PTX ISA 11.5).
type File struct {
	Index     int
	Name      string // between the quotes, as written
	Timestamp int64  // printed with Size if one of them is not 0
	Size      int64
}

// Section is a section of debug information (PTX ISA 11.5), as text.
type Section struct {
	Name string // ".debug_info"
	Text string // the text between the braces, trimmed; its braces and quotes balance
}

// Alias makes Name another name of the function Of (PTX ISA 11.2).
type Alias struct{ Name, Of Name }

// Pragma is a hint of the module, or of the statements that follow it (PTX ISA 11.4).
type Pragma struct {
	Strings []string // between the quotes, as written
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

// Func returns the function or kernel called name: its definition, otherwise its first declaration, otherwise nil.
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

// WriteTo writes the text of m to w, as [io.WriterTo] requires. The errors are those that w returns.
func (m *Module) WriteTo(w io.Writer) (int64, error) {
	n, err := w.Write(m.appendTo(nil))
	return int64(n), err
}
