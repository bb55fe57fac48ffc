package ptx

import (
	"fmt"
	"slices"
	"strconv"
)

// Builder writes the body of a function: it allocates registers, and writes the labels and branches of loops and
// conditions. It does not know the meaning of opcodes. [Builder.Func] reports the first mistake at the end.
type Builder struct {
	fn     Func
	vars   []Stmt
	body   *Block // the block that receives statements
	regs   Registers
	labels int
	err    *Error
}

// classes are the classes of registers that a Builder allocates. Like nvcc, a Builder declares data registers with the
// types .bN, which fit every type of the same width.
var classes = [...]struct {
	typ    Type
	prefix Name
}{{Pred, "%p"}, {B16, "%rs"}, {B32, "%r"}, {B64, "%rd"}, {B128, "%rq"}}

// NewKernel returns a Builder for a kernel that is visible to other modules.
func NewKernel(name Name) *Builder {
	return newBuilder(Func{Linkage: Visible, Entry: true, Name: name})
}

// NewFunc returns a Builder for a function.
func NewFunc(name Name) *Builder { return newBuilder(Func{Name: name}) }

func newBuilder(f Func) *Builder {
	f.Body = &Block{}
	return &Builder{fn: f, body: f.Body}
}

// fail records the mistake if it is the first.
func (b *Builder) fail(expected string, found any) {
	if b.err == nil {
		b.err = &Error{Code: CodeBuild, Expected: expected, Found: fmt.Sprint(found) + " in " + string(b.fn.Name)}
	}
}

// Func returns the finished function, with the declarations of its registers. The error is an *[Error] with the code
// [CodeBuild].
func (b *Builder) Func() (*Func, error) {
	if b.err != nil {
		return nil, b.err
	}
	f := b.fn
	var head []Stmt
	for i, n := range b.regs {
		if n > 0 {
			head = append(head, &Var{Space: Reg, Type: classes[i].typ, Name: classes[i].prefix, Count: n})
		}
	}
	f.Params, f.Directives = slices.Clone(f.Params), slices.Clone(f.Directives)
	f.Body = &Block{slices.Concat(head, b.vars, b.fn.Body.Stmts)}
	return &f, nil
}

// Param adds a parameter of type t and returns its name.
func (b *Builder) Param(t Type, name Name) Name {
	return b.Declare(&Var{Space: Param, Type: t, Name: name})
}

// Declare adds v to the parameters of the function if v is in the space .param, and otherwise to the variables of the
// function. Declare returns the name of v.
func (b *Builder) Declare(v *Var) Name {
	if v.Space == Param {
		b.fn.Params = append(b.fn.Params, v)
	} else {
		b.vars = append(b.vars, v)
	}
	return v.Name
}

// Direct adds a directive, as in Direct("reqntid", 128).
func (b *Builder) Direct(name string, args ...int64) {
	b.fn.Directives = append(b.fn.Directives, Directive{Name: name, Args: args})
}

// Reg returns a new register for values of type t. Values of 8 bits or fewer use a 16-bit register, as in PTX.
func (b *Builder) Reg(t Type) Name {
	width := max(t.Bits(), 16)
	for i, c := range classes {
		if t == Pred || c.typ != Pred && c.typ.Bits() == width && t.Bits() != 0 {
			b.regs[i]++
			return c.prefix + Name(strconv.Itoa(b.regs[i]-1))
		}
	}
	b.fail("a type that registers have", "'"+t+"'")
	return Sink
}

// Regs returns n new registers for values of type t, as a vector operand.
func (b *Builder) Regs(t Type, n int) Vec {
	v := make(Vec, n)
	for i := range v {
		v[i] = b.Reg(t)
	}
	return v
}

// Registers is a set of registers of a Builder: those that it had returned at one moment.
type Registers [len(classes)]int

// Registers returns the set of the registers that b has returned so far.
func (b *Builder) Registers() Registers { return b.regs }

// Has reports whether a register is in the set. A name that no Builder returns is not.
func (s *Registers) Has(r Name) bool {
	digits := len(r)
	for digits > 0 && '0' <= r[digits-1] && r[digits-1] <= '9' {
		digits--
	}
	n, err := strconv.Atoi(string(r[digits:]))
	for i := range classes {
		if classes[i].prefix == r[:digits] {
			return err == nil && n < s[i]
		}
	}
	return false
}

// Emit writes an instruction.
func (b *Builder) Emit(op Op, operands ...Operand) { b.emit(Instr{Op: op, Operands: operands}) }

// EmitIf writes an instruction for the threads where pred is true. pred is a [Name], or the [Not] of a name.
func (b *Builder) EmitIf(pred Operand, op Op, operands ...Operand) {
	in := Instr{Op: op, Operands: operands}
	switch p := pred.(type) {
	case Name:
		in.Pred = p
	case Unary:
		in.Pred, in.Not = p.X, p.Op == '!'
	}
	if u, ok := pred.(Unary); in.Pred == "" || ok && u.Op != '!' {
		b.fail("a predicate or its negation", pred)
	}
	b.emit(in)
}

func (b *Builder) emit(in Instr) {
	if in.Op == "" {
		b.fail("an opcode", "none")
	}
	if i := slices.Index(in.Operands, nil); i >= 0 {
		b.fail("an operand", "nil as number "+strconv.Itoa(i)+" of '"+string(in.Op)+"'")
	}
	b.Add(&in)
}

// Let writes an instruction whose first operand is a new register for values of type t, and returns that register.
func (b *Builder) Let(t Type, op Op, operands ...Operand) Name {
	dst := b.Reg(t)
	b.Emit(op, slices.Insert(slices.Clone(operands), 0, Operand(dst))...)
	return dst
}

// Add writes any statement.
func (b *Builder) Add(s Stmt) { b.body.Stmts = append(b.body.Stmts, s) }

// Label returns a new label, which [Builder.Mark] places.
func (b *Builder) Label() Name {
	b.labels++
	return Name("$L" + strconv.Itoa(b.labels))
}

// Mark places a label before the next statement.
func (b *Builder) Mark(label Name) { b.Add(&Label{Name: label}) }

// Scope writes the statements of body into a block; variables of the block are visible only inside the block.
func (b *Builder) Scope(body func()) {
	outer := b.body
	b.body = &Block{}
	outer.Stmts = append(outer.Stmts, b.body)
	body()
	b.body = outer
}

// Collect returns the statements of body instead of writing them. The caller places them with [Builder.Add].
func (b *Builder) Collect(body func()) []Stmt {
	outer := b.body
	b.body = &Block{}
	body()
	inner := b.body
	b.body = outer
	return inner.Stmts
}

// If writes the statements of then for the threads where pred is true. pred is a [Name], or the [Not] of a name.
func (b *Builder) If(pred Operand, then func()) {
	end := b.Label()
	b.EmitIf(b.negate(pred), "bra", end)
	then()
	b.Mark(end)
}

// IfElse writes the statements of then for the threads where pred is true, and the statements of otherwise for the
// other threads.
func (b *Builder) IfElse(pred Operand, then, otherwise func()) {
	no, end := b.Label(), b.Label()
	b.EmitIf(b.negate(pred), "bra", no)
	then()
	b.Emit("bra", end)
	b.Mark(no)
	otherwise()
	b.Mark(end)
}

// negate returns the negation of a predicate. Other operands are returned as they are; EmitIf rejects them.
func (b *Builder) negate(pred Operand) Operand {
	switch p := pred.(type) {
	case Name:
		return Not(p)
	case Unary:
		if p.Op == '!' {
			return p.X
		}
	}
	return pred
}

// While writes a loop. Each pass executes the statements of cond, leaves the loop if the predicate that cond returned
// is false, and otherwise executes the statements of body.
func (b *Builder) While(cond func() Operand, body func()) {
	top, end := b.Label(), b.Label()
	b.Mark(top)
	b.EmitIf(b.negate(cond()), "bra", end)
	body()
	b.Emit("bra", top)
	b.Mark(end)
}

// A Range is the sequence of values of a loop register, whose integer type has 16 bits or more: From, From+Step and so
// on up to To, or down to To if Step is negative, without To itself. Adding Step to To must not overflow.
type Range struct {
	Type     Type
	From, To Operand
	Step     int64
}

// For writes a loop whose register takes the values of r. For passes this register to body as i. body must write
// neither i nor the register r.To.
func (b *Builder) For(r Range, body func(i Name)) {
	t := r.Type
	switch t {
	case S16, S32, S64, U16, U32, U64:
	default:
		b.fail("a type of integers to count with", "'"+t+"'")
		return
	}
	if r.Step == 0 {
		b.fail("a step that is not 0", "0")
		return
	}
	more, less := Op("setp.lt."+t), Op("setp.ge."+t)
	if r.Step < 0 {
		more, less = Op("setp.gt."+t), Op("setp.le."+t)
	}
	i := b.Let(t, Op("mov."+t), r.From)
	top, end := b.Label(), b.Label()
	b.EmitIf(b.Let(Pred, less, i, r.To), "bra", end)
	b.Mark(top)
	body(i)
	b.Emit(Op("add."+t), i, i, Int(r.Step))
	b.EmitIf(b.Let(Pred, more, i, r.To), "bra", top)
	b.Mark(end)
}
