package pack

import "encoding/binary"

// What a packed module stores of its code is the code in another shape, in which alike things look alike: a branch
// names its target from outside in, not from inside out; the targets of a table are differences; and the constants by
// which a function of Go says where it goes on, after a call or a jump, are differences to the number of blocks that
// are closed. appendShape and unshape are inverses of each other.

// Instructions of that shape, with codes that no instruction has.
const (
	opPlace = 0xf0 // i64.const (firstFunction + the number of the function)<<16 + closed blocks + n
	opDone  = 0xf1 // the end of the function
	opJump  = 0xf2 // i32.const closed blocks + n, local.set 0

	firstFunction = 0x1000 // the Go linker's number of the first function of a module
)

// A nest is the blocks around an instruction.
type nest struct {
	open   []byte // their opcodes
	closed int64  // how many of opBlock have ended
}

// step goes past an instruction.
func (n *nest) step(op byte) {
	switch op {
	case opBlock, opLoop, opIf:
		n.open = append(n.open, op)
	case opEnd:
		if k := len(n.open) - 1; k >= 0 {
			if n.open[k] == opBlock {
				n.closed++
			}
			n.open = n.open[:k]
		}
	}
}

// appendShape writes function f in that shape.
func appendShape(dst []byte, f int, fn function) []byte {
	dst = append(dst, fn.locals...)
	var n nest
	for i := 0; i < len(fn.code); i++ {
		in := fn.code[i]
		n.step(in.op)
		switch op := in.op; {
		case op == opBr || op == opBrIf:
			dst = binary.AppendUvarint(append(dst, op), uint64(uint32(len(n.open)-int(in.a))))
		case op == opBrTable:
			dst = binary.AppendUvarint(append(dst, op), uint64(len(in.tab)-1))
			last := int64(0)
			for _, t := range in.tab {
				dst = binary.AppendUvarint(dst, zigzag(int64(t)-last))
				last = int64(t)
			}
		case op == opI32Const && fn.code[i+1].op == opLocalSet && fn.code[i+1].a == 0: // an end follows, at least
			dst = binary.AppendUvarint(append(dst, opJump), zigzag(in.a-n.closed))
			i++
		case op == opI64Const && in.a>>16 == int64(firstFunction+f):
			dst = binary.AppendUvarint(append(dst, opPlace), zigzag(in.a&0xffff-n.closed))
		default:
			dst = in.append(dst)
		}
	}
	return append(dst, opDone)
}

// unshape reads function f.
func unshape(r *reader, f int) function {
	from := r.at
	for range r.uint() {
		r.uint()
		r.byte()
	}
	fn := function{locals: r.b[from:r.at]}
	var n nest
	for r.err == nil {
		switch op := r.b[r.at]; op {
		case opDone:
			r.at++
			return fn
		case opJump:
			r.at++
			fn.code = append(fn.code, instr{op: opI32Const, a: n.closed + unzigzag(r.uint())}, instr{op: opLocalSet})
		case opPlace:
			r.at++
			fn.code = append(fn.code, instr{op: opI64Const, a: int64(firstFunction+f)<<16 + n.closed + unzigzag(r.uint())})
		default:
			in := r.instr()
			n.step(op)
			switch op {
			case opBr, opBrIf:
				in.a = int64(len(n.open)) - in.a
			case opBrTable:
				last := int64(0)
				for i, d := range in.tab {
					last += unzigzag(d)
					in.tab[i] = uint32(last)
				}
			}
			fn.code = append(fn.code, in)
		}
	}
	return fn
}

func zigzag(v int64) uint64 { return uint64(uint32(v<<1) ^ uint32(v>>63)) }

func unzigzag(v uint32) int64 { return int64(v>>1) ^ -int64(v&1) }
