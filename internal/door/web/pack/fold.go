package pack

import "slices"

// The Go compiler writes an address on the stack as extend(sp) + C, wraps it to 32 bits and accesses offset 0 there; it
// tests a condition by comparing the comparison with 0, twice. fold shortens these. Each rule keeps the result for all
// operands, with one exception, which the compiler makes for other addresses: address + C at offset 0 and address at
// offset C differ if address + C passes 2^32, which no address of an object does.

// fold returns the code with the rules applied until none fits.
func fold(code []instr) []instr {
	out := code[:0]
	for _, in := range code {
		out = append(out, in)
		for {
			n := len(out)
			out = foldTail(out)
			if len(out) == n {
				break
			}
		}
	}
	return out
}

// foldTail applies one rule to the end of the code, if one fits; it is then shorter.
func foldTail(c []instr) []instr {
	n := len(c)
	at := func(k int) byte { // the opcode at k from the end, 0 for none
		if k > n {
			return 0
		}
		return c[n-k].op
	}
	switch op := at(1); {
	case op == opWrap && at(2) == opExtend:
		return c[:n-2]
	case op == opWrap && at(2) == opI64Const:
		return append(c[:n-2], instr{op: opI32Const, a: int64(int32(c[n-2].a))})
	case op == opWrap && at(2) == opI64Add && at(3) == opI64Const && at(4) == opExtend:
		k := int64(int32(c[n-3].a))
		return append(c[:n-4], instr{op: opI32Const, a: k}, instr{op: opI32Add})
	case op == opI64Eqz && at(2) == opExtend:
		return append(c[:n-2], instr{op: opI32Eqz})
	case op == opI32Eqz && isComparison(at(2)):
		if not, ok := opposite(at(2)); ok {
			return append(c[:n-2], instr{op: not})
		}
		if at(2) == opI32Eqz && isComparison(at(3)) {
			return c[:n-2]
		}
	case (op == opIf || op == opBrIf || op == opSelect) && at(2) == opI32Eqz && at(3) == opI32Eqz:
		return append(c[:n-3], c[n-1])
	case isLoad(op):
		return foldAddress(c, n-1)
	case isStore(op):
		if k := operand(c[:n-1]); k >= 0 {
			return foldAddress(c, k)
		}
	case op == opGlobSet:
		return foldPointer(c)
	}
	return c
}

// foldAddress makes a constant that is added just before c[k] part of the offset of the access at the end.
func foldAddress(c []instr, k int) []instr {
	last := &c[len(c)-1]
	if k < 2 || c[k-1].op != opI32Add || c[k-2].op != opI32Const || c[k-2].a < 0 || c[k-2].a+last.b >= 1<<31 {
		return c
	}
	last.b += c[k-2].a
	return slices.Delete(c, k-2, k)
}

// foldPointer makes one of two additions to the stack pointer that follow each other.
//
//	i32.const A, i32.add, local.tee x, global.set g, local.get x, i32.const B, i32.add, local.tee x, global.set g
func foldPointer(c []instr) []instr {
	n := len(c)
	if n < 9 {
		return c
	}
	t := c[n-9:]
	for i, op := range []byte{opI32Const, opI32Add, opLocalTee, opGlobSet, opLocalGet, opI32Const, opI32Add, opLocalTee, opGlobSet} {
		if t[i].op != op {
			return c
		}
	}
	if t[2].a != t[4].a || t[2].a != t[7].a || t[3].a != t[8].a {
		return c
	}
	t[0].a = int64(int32(t[0].a + t[5].a))
	return c[:n-5]
}

// operand returns where the code of the last operand on the stack begins, -1 if that is not plain to see.
func operand(c []instr) int {
	need := 1
	for k := len(c) - 1; k >= 0; k-- {
		switch op := c[k].op; {
		case op == opLocalGet || op == opGlobGet || op >= opI32Const && op <= opF64Const:
			need--
		case isLoad(op), op == opLocalTee, op == opI32Eqz, op == opI64Eqz, op >= 0x67 && op <= 0x69, op >= 0x79 && op <= 0x7b,
			op >= 0x8b && op <= 0x91, op >= 0x99 && op <= 0x9f, op >= 0xa7 && op <= 0xc4: // one operand, one result
		case op >= 0x45 && op <= 0xa6: // two operands
			need++
		case op == opSelect:
			need += 2
		default:
			return -1
		}
		if need == 0 {
			return k
		}
	}
	return -1
}

// isComparison reports whether the result is 0 or 1.
func isComparison(op byte) bool { return op >= 0x45 && op <= 0x66 }

// opposite returns the comparison of integers that holds where the one does not.
func opposite(op byte) (byte, bool) {
	i32 := [...]byte{0x47, 0x46, 0x4e, 0x4f, 0x4c, 0x4d, 0x4a, 0x4b, 0x48, 0x49} // of eq, ne, lt_s, lt_u, gt_s, gt_u, le_s, le_u, ge_s, ge_u
	switch {
	case op >= 0x46 && op <= 0x4f:
		return i32[op-0x46], true
	case op >= 0x51 && op <= 0x5a:
		return i32[op-0x51] + 0x0b, true
	}
	return 0, false
}
