package pack

import (
	"encoding/binary"
	"fmt"
)

// The instructions that are told apart.
const (
	opBlock    = 0x02
	opLoop     = 0x03
	opIf       = 0x04
	opElse     = 0x05
	opEnd      = 0x0b
	opBr       = 0x0c
	opBrIf     = 0x0d
	opBrTable  = 0x0e
	opCall     = 0x10
	opIndirect = 0x11
	opSelect   = 0x1b
	opLocalGet = 0x20
	opLocalSet = 0x21
	opLocalTee = 0x22
	opGlobGet  = 0x23
	opGlobSet  = 0x24
	opI32Const = 0x41
	opI64Const = 0x42
	opF32Const = 0x43
	opF64Const = 0x44
	opI32Eqz   = 0x45
	opI64Eqz   = 0x50
	opI32Add   = 0x6a
	opI64Add   = 0x7c
	opWrap     = 0xa7 // i32.wrap_i64
	opExtend   = 0xad // i64.extend_i32_u
	opMore     = 0xfc
)

func isLoad(op byte) bool   { return op >= 0x28 && op <= 0x35 }
func isStore(op byte) bool  { return op >= 0x36 && op <= 0x3e }
func isMemory(op byte) bool { return op >= 0x28 && op <= 0x3e }

// An instr is one instruction. a and b are its numbers: the index, the constant (of a float its bits), the alignment
// and the offset of an access to memory, the second opcode behind 0xfc.
type instr struct {
	op   byte
	a, b int64
	tab  []uint32 // the targets of br_table, the last one by default
}

// instr reads one instruction.
func (r *reader) instr() instr {
	in := instr{op: r.byte()}
	switch op := in.op; {
	case op == opBlock || op == opLoop || op == opIf:
		in.a = int64(r.byte())
	case op == opBr || op == opBrIf || op == opCall || op >= opLocalGet && op <= opGlobSet:
		in.a = int64(r.uint())
	case op == opBrTable:
		n := int(r.uint()) + 1
		if n > len(r.b)-r.at {
			r.err = errShort
			return in
		}
		in.tab = make([]uint32, n)
		for i := range in.tab {
			in.tab[i] = r.uint()
		}
	case op == opIndirect || isMemory(op):
		in.a = int64(r.uint())
		in.b = int64(r.uint())
	case op == 0x3f || op == 0x40:
		in.a = int64(r.byte())
	case op == opI32Const || op == opI64Const:
		in.a = r.int()
	case op == opF32Const:
		if b := r.bytes(4); b != nil {
			in.a = int64(binary.LittleEndian.Uint32(b))
		}
	case op == opF64Const:
		if b := r.bytes(8); b != nil {
			in.a = int64(binary.LittleEndian.Uint64(b))
		}
	case op == opMore:
		in.a = int64(r.uint())
		switch {
		case in.a <= 7:
		case in.a == 10:
			r.bytes(2)
		case in.a == 11:
			r.bytes(1)
		default:
			r.err = fmt.Errorf("unknown instruction fc %02x", in.a)
		}
	case op <= 1 || op == opElse || op == opEnd || op == 0x0f || op == 0x1a || op == opSelect || op >= 0x45 && op <= 0xc4:
	default:
		r.err = fmt.Errorf("unknown instruction %02x", op)
	}
	return in
}

// append writes the instruction.
func (in instr) append(dst []byte) []byte {
	dst = append(dst, in.op)
	switch op := in.op; {
	case op == opBlock || op == opLoop || op == opIf || op == 0x3f || op == 0x40:
		dst = append(dst, byte(in.a))
	case op == opBr || op == opBrIf || op == opCall || op >= opLocalGet && op <= opGlobSet:
		dst = binary.AppendUvarint(dst, uint64(in.a))
	case op == opBrTable:
		dst = binary.AppendUvarint(dst, uint64(len(in.tab)-1))
		for _, t := range in.tab {
			dst = binary.AppendUvarint(dst, uint64(t))
		}
	case op == opIndirect || isMemory(op):
		dst = binary.AppendUvarint(dst, uint64(in.a))
		dst = binary.AppendUvarint(dst, uint64(in.b))
	case op == opI32Const || op == opI64Const:
		dst = appendInt(dst, in.a)
	case op == opF32Const:
		dst = binary.LittleEndian.AppendUint32(dst, uint32(in.a))
	case op == opF64Const:
		dst = binary.LittleEndian.AppendUint64(dst, uint64(in.a))
	case op == opMore:
		dst = binary.AppendUvarint(dst, uint64(in.a))
		switch in.a {
		case 10:
			dst = append(dst, 0, 0)
		case 11:
			dst = append(dst, 0)
		}
	}
	return dst
}

// A function is the body of one: its locals as they are written, and its instructions, the last end included.
type function struct {
	locals []byte
	code   []instr
}

// functions reads a code section.
func functions(body []byte) ([]function, error) {
	r := reader{b: body}
	n := int(r.uint())
	if n > len(body) {
		return nil, errShort
	}
	list := make([]function, n)
	for i := range list {
		f := reader{b: r.bytes(int(r.uint()))}
		if r.err != nil {
			return nil, r.err
		}
		for range f.uint() {
			f.uint()
			f.byte()
			if f.err != nil {
				return nil, f.err
			}
		}
		list[i].locals = f.b[:f.at]
		code := make([]instr, 0, (len(f.b)-f.at)/2+1)
		for f.at < len(f.b) && f.err == nil {
			code = append(code, f.instr())
		}
		if f.err != nil {
			return nil, fmt.Errorf("function %d: %w", i, f.err)
		}
		list[i].code = code
	}
	return list, nil
}

// codeSection writes functions as the body of a code section.
func codeSection(list []function) []byte {
	out := binary.AppendUvarint(nil, uint64(len(list)))
	var body []byte
	for _, f := range list {
		body = append(body[:0], f.locals...)
		for _, in := range f.code {
			body = in.append(body)
		}
		out = binary.AppendUvarint(out, uint64(len(body)))
		out = append(out, body...)
	}
	return out
}
