package kernel

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"girih/cute"
	"girih/dtype"
	"girih/internal/machine/lower"
	"girih/ptx"
)

// This file lets a kernel contain instructions that no method writes. Package sim executes and checks them as others.

// PTX is text that [K.PTX] puts into the kernel.
type PTX struct {
	// Text is instructions, each with its semicolon. %0, %1 and so on are the registers of the results, followed by those
	// of the operands. Special registers such as %laneid have their names.
	Text    string
	Results []dtype.Type // one register each, of the type's width and at least 16 bits

	// Memory says that the text accesses memory, or orders accesses. Text without it only computes registers.
	Memory bool

	Chip    string // the oldest chip that has the instructions: "sm_90"; "" for sm_80
	Version string // the first version of PTX that has them: "8.6"; "" for 8.0
}

var (
	placeholder = regexp.MustCompile(`%([0-9]+)`)
	anyRegister = regexp.MustCompile(`%[A-Za-z_][A-Za-z0-9_$.]*`)
	special     = regexp.MustCompile(`^%(n?tid|n?ctaid|laneid|n?warpid|n?smid|gridid|lanemask_..|clock(64|_hi)?|` +
		`globaltimer(_lo|_hi)?|(dynamic|total|aggr)_smem_size|n?clusterid|cluster_n?cta(id|rank)|is_explicit_cluster)` +
		`(\.[xyz])?$`)
	chipName = regexp.MustCompile(`^sm_[0-9]{2,3}[af]?$`)
)

// PTX writes instructions as text, and returns their results. It fails with [cute.CodeType] for text that is no PTX,
// for a register without a result or an operand, a result that is not written, and a guard, [cute.CodeName] for other
// registers, variables and labels, for chips and versions, and [cute.CodeMode] for text that writes an operand or reads
// a result before it is written, for branches, for text that accesses memory without saying so, and for instructions of
// a whole warp as [K.Sync]. Whether an instruction exists and takes these operands is known when [Kernel.Simulate] or a
// compiler reads it.
func (k *K) PTX(p PTX, operands ...Value) []Value {
	const op = "ptx"
	if !k.takes(op, operands...) {
		return make([]Value, len(p.Results))
	}
	out := make([]Value, len(p.Results))
	var regs []ptx.Name
	for i, t := range p.Results {
		if t.Bits() < 8 || t.Bits() > 64 {
			k.refuse(op, cute.CodeType, "expected results of 8 to 64 bits, found %v", t)
			return out
		}
		out[i] = k.valueOf(k.b.Reg(valueType(t)), t)
		regs = append(regs, out[i].reg)
	}
	for _, v := range operands {
		regs = append(regs, v.reg)
	}
	k.inlineTarget(p)
	text := inlined{PTX: p, regs: regs, written: map[ptx.Name]bool{}}
	for _, st := range k.statements(p.Text, regs) {
		in, ok := st.(*ptx.Instr)
		if !ok {
			k.refuse(op, cute.CodeMode, "expected instructions, found %v", st)
			return out
		}
		k.checkInline(p, in)
		k.checkRegisters(&text, in)
		k.checkCarry(&text, in)
		k.add(&ptx.Instr{Op: in.Op, Operands: in.Operands})
	}
	for i, v := range out {
		if k.err == nil && !text.written[v.reg] {
			k.refuse(op, cute.CodeType, "the text does not write %%%d, which is a result", i)
		}
	}
	return out
}

// An inlined is a text whose instructions are being read.
type inlined struct {
	PTX
	regs    []ptx.Name // of the results and of the operands
	written map[ptx.Name]bool
	carry   bool // an instruction has set the carry
}

// statements returns the statements of a text with registers in the place of their numbers.
func (k *K) statements(text string, regs []ptx.Name) []ptx.Stmt {
	const op = "ptx"
	for _, name := range anyRegister.FindAllString(text, -1) {
		if !special.MatchString(name) {
			k.repair("write %0, %1 and so on, first the results and then the operands", &cute.Error{
				Code: cute.CodeName, Op: op, Msg: "the text has the register " + name + ", which is no special register",
			})
			return nil
		}
	}
	for _, s := range placeholder.FindAllString(text, -1) { // not in the function below: package regexp calls it
		if n, err := strconv.Atoi(s[1:]); err != nil || n >= len(regs) {
			k.refuse(op, cute.CodeType, "%s has no register: expected numbers below %d", s, len(regs))
			return nil
		}
	}
	text = placeholder.ReplaceAllStringFunc(text, func(s string) string {
		n, _ := strconv.Atoi(s[1:])
		return string(regs[n])
	})
	m, err := ptx.Parse(".version 8.0\n.target sm_80\n.address_size 64\n.entry f()\n{\n" + text + "\n}\n")
	if err != nil || len(m.Decls) != 1 || m.Func("f") == nil {
		k.refuse(op, cute.CodeType, "the text is no list of instructions: %v", err)
		return nil
	}
	return m.Func("f").Body.Stmts
}

// checkRegisters refuses registers, variables and labels that are not the text's, results that are read before they
// are written, and operands that are written.
func (k *K) checkRegisters(t *inlined, in *ptx.Instr) {
	const op = "ptx"
	for n, writes := range in.Names() {
		i := slices.Index(t.regs, n)
		switch result := i < len(t.Results); {
		case i < 0 && !special.MatchString(string(n)) && n != ptx.Sink && n != "WARP_SZ":
			k.advise("pass it as an operand; Address returns the address of an element").refuse(op, cute.CodeName,
				"%s is a name of the kernel, or of nothing", n)
		case !result && writes:
			k.advise("write a result").refuse(op, cute.CodeMode, "%s writes %%%d, which is an operand", in.Op, i)
		case i >= 0 && result && !writes && !t.written[n]:
			k.refuse(op, cute.CodeMode, "%s reads %%%d, a result that has no value yet", in.Op, i)
		}
	}
	for n, writes := range in.Names() {
		t.written[n] = t.written[n] || writes
	}
}

// checkCarry refuses instructions that read a carry which the text has not set.
func (k *K) checkCarry(t *inlined, in *ptx.Instr) {
	switch in.Op.Name() {
	case "addc", "subc", "madc":
		if !t.carry {
			k.refuse("ptx", cute.CodeMode, "%s reads a carry that no instruction of the text has set", in.Op)
		}
	}
	t.carry = t.carry || in.Op.Has("cc")
}

// wholeWarp reports whether all lanes of the warp must execute an instruction. Those that name the lanes do so in the
// last operand.
func wholeWarp(in *ptx.Instr) bool {
	switch in.Op.Name() {
	case "shfl", "vote", "match", "redux", "elect":
	case "bar":
		if !in.Op.Has("warp") {
			return true
		}
	default:
		return in.Op.Has("aligned")
	}
	if len(in.Operands) == 0 {
		return false
	}
	mask, ok := in.Operands[len(in.Operands)-1].(ptx.Int)
	return ok && uint32(mask) == uint32(everyone)
}

// checkInline refuses instructions that lead elsewhere, and accesses that were not declared.
func (k *K) checkInline(p PTX, in *ptx.Instr) {
	const op = "ptx"
	if in.Pred != "" {
		k.advise("use k.If, or selp with the result of set").refuse(op, cute.CodeType,
			"%s has the guard %s, and no register of the text is a predicate", in.Op, in.Pred)
	}
	if wholeWarp(in) {
		k.together(op)
	}
	switch in.Op.Name() {
	case "bra", "brx", "call", "ret", "exit", "setmaxnreg", "alloca", "stackrestore":
		k.refuse(op, cute.CodeMode, "%s leads elsewhere, or changes the registers or the stack of the kernel", in.Op)
	case "bar", "barrier", "fence", "membar", "griddepcontrol", "mbarrier", "cp", "wgmma", "tcgen05":
		if !p.Memory {
			k.advise("set PTX.Memory").refuse(op, cute.CodeMode, "%s orders accesses of memory", in.Op)
		}
	}
	isAddress := func(o ptx.Operand) bool {
		_, ok := o.(ptx.Addr)
		return ok
	}
	if !p.Memory && slices.ContainsFunc(in.Operands, isAddress) {
		k.advise("set PTX.Memory").refuse(op, cute.CodeMode, "%s accesses memory", in.Op)
	}
}

// inlineTarget raises the target of the kernel to the chip and the version of a text.
func (k *K) inlineTarget(p PTX) {
	const op = "ptx"
	t := k.target
	if p.Chip != "" {
		if !chipName.MatchString(p.Chip) {
			k.refuse(op, cute.CodeName, "expected a chip such as sm_90, found %q", p.Chip)
			return
		}
		t.Chip = p.Chip
	}
	if p.Version != "" {
		major, minor, _ := strings.Cut(p.Version, ".")
		a, err := strconv.Atoi(major)
		b, err2 := strconv.Atoi(minor)
		if err != nil || err2 != nil || a < 1 || a > 99 || b < 0 || b > 9 {
			k.refuse(op, cute.CodeName, "expected a version of PTX such as 8.6, found %q", p.Version)
			return
		}
		t.Version = ptx.Version{Major: a, Minor: b}
	}
	k.require(lower.Target{Chip: t.Chip, Version: t.Version})
}

// Address returns the address of the element of t at a coordinate, for an access in [K.PTX]: u64 in global memory, and
// u32 in shared memory, each in its space. It has the errors of [K.Load], and [cute.CodeType] for a tensor in
// registers and for elements below 8 bits.
func (k *K) Address(t Tensor, coord ...Index) Value {
	s, ok := k.one("address", t, coord)
	if !ok {
		return k.valueOf(ptx.Sink, dtype.U64)
	}
	if t.root.space != Global && t.root.space != Shared || t.root.bits() < 8 {
		k.refuse("address", cute.CodeType, "expected an element of at least 8 bits in global or shared memory, found %v", t)
		return k.valueOf(ptx.Sink, dtype.U64)
	}
	typ, bits := dtype.U64, 64
	if t.root.space == Shared {
		typ, bits = dtype.U32, 32
	}
	r, err := k.c.Value(k.at(s.elements[0]), bits)
	k.fail(err)
	return k.valueOf(k.let(valueType(typ), "mov."+ptx.Op(valueType(typ)), r), typ)
}
