package ptx

import (
	"io"
	"iter"
)

// Module is a file of PTX.
type Module struct {
	Version     Version  // .version
	Target      []string // .target: the architecture, then options: "sm_90a", "debug"
	AddressSize int      // .address_size, in bits: 32 or 64, or 0 where it is not stated
	Decls       []Decl
}

// Version is a version of the PTX ISA: 8.7.
type Version struct{ Major, Minor int }

// Node is whatever has a text: [Decl], [Stmt], [Operand]. String returns the text that a module has of it, without
// indentation.
type Node interface{ String() string }

// Decl stands at the top of a module: *[Var], *[Func], *[Alias], *[File], *[Pragma], *[Section].
type Decl interface {
	Node
	decl()
	appendTo(dst []byte, depth int) []byte
}

// Pos is where a node begins in its source. Line and column count from 1, columns in bytes; zero where there is no
// source. It is no part of what a node means.
type Pos struct{ Line, Col int32 }

// File gives a number to a source file (PTX ISA 11.5).
type File struct {
	Index     int
	Name      string // between the quotes, as it is written
	Timestamp int64  // printed with Size if one of them is not 0
	Size      int64
}

// Section holds what debuggers read (PTX ISA 11.5), without a structure.
type Section struct {
	Name string // ".debug_info"
	Text string // what stands between the braces, trimmed; braces and quotes in it balance
}

// Alias makes Name another name of the function Of (PTX ISA 11.2).
type Alias struct{ Name, Of Name }

// Pragma is a hint of the module, or of the statements that follow it (PTX ISA 11.4).
type Pragma struct {
	Strings []string // between the quotes, as they are written
}

func (*Var) decl()     {}
func (*Func) decl()    {}
func (*Alias) decl()   {}
func (*File) decl()    {}
func (*Pragma) decl()  {}
func (*Section) decl() {}

// Funcs returns the functions and kernels of m, declared and defined ones, in their order.
func (m *Module) Funcs() iter.Seq[*Func] {
	return func(yield func(*Func) bool) {
		for _, d := range m.Decls {
			if f, ok := d.(*Func); ok && !yield(f) {
				return
			}
		}
	}
}

// Func returns the function or kernel called name: where it is defined, or else its first declaration, or nil.
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

// WriteTo writes the text of m to w, as [io.WriterTo] says. The errors are those of w.
func (m *Module) WriteTo(w io.Writer) (int64, error) {
	n, err := w.Write(m.appendTo(nil))
	return int64(n), err
}
