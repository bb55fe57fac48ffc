package sim

import "girih/ptx"

// byZero contains the results of integer divisions by 0, which the PTX ISA does not define (9.7.1.8, 9.7.1.9): the
// results of an H100 for the dividend x, by opcode and type. No other place defines these results.
var byZero = map[string]map[ptx.Type]func(x uint64) uint64{
	"div": {
		ptx.U16: allOnes(16), ptx.U32: allOnes(32), ptx.U64: allOnes(64),
		ptx.S16: allOnes(16), ptx.S32: allOnes(32), ptx.S64: allOnes(64),
	},
	"rem": {
		ptx.U16: allOnes(16), ptx.U32: allOnes(32), ptx.U64: allOnes(64),
		ptx.S16: allOnes(16), ptx.S32: allOnes(32), ptx.S64: allOnes(64),
	},
}

// least contains the results of dividing the least value of a signed type by -1. The type cannot hold the quotient, and
// the ISA does not mention this case.
var least = map[string]map[ptx.Type]uint64{
	"div": {ptx.S16: 1 << 15, ptx.S32: 1 << 31, ptx.S64: 1 << 63},
	"rem": {ptx.S16: 0, ptx.S32: 0, ptx.S64: 0},
}

// noSuchBase is the result of fns for a base above 31, for which the ISA defines no result (9.7.1.17).
const noSuchBase = none

// noSuchOffset is the result of fns for the least offset, which has no magnitude.
const noSuchOffset = 0

func allOnes(n int) func(uint64) uint64 {
	return func(uint64) uint64 { return ones(n) }
}

// division returns div or rem for integers of type t, or nil. Division rounds to zero.
func division(name string, t ptx.Type) func(x, y uint64) uint64 {
	zero, known := byZero[name][t]
	if !known {
		return nil
	}
	n, m := t.Bits(), ones(t.Bits())
	rest := name == "rem"
	if !begins(t, 's') {
		return func(x, y uint64) uint64 {
			switch x, y = x&m, y&m; {
			case y == 0:
				return zero(x)
			case rest:
				return x % y
			}
			return x / y
		}
	}
	overflow := least[name][t]
	return func(x, y uint64) uint64 {
		a, b := extend(x, n), extend(y, n)
		switch {
		case b == 0:
			return zero(x & m)
		case b == -1 && a == -1<<(n-1):
			return overflow
		case rest:
			return uint64(a%b) & m
		}
		return uint64(a/b) & m
	}
}
