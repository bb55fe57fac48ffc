package sim_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"girih/ptx/sim"
)

// TestCarryHardware checks mixed chains against the results of an H100.
func TestCarryHardware(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		chain string
		want  uint32
	}{
		{"add.cc.u32 %r2, 0, 0; subc.u32 %r3, 0, 0;", 0xffffffff},
		{"sub.cc.u32 %r2, 0, 1; addc.u32 %r3, 0, 0;", 0},
		{"sub.cc.u32 %r2, 1, 0; addc.u32 %r3, 0, 0;", 1},
		{"add.cc.u32 %r2, 0xffffffff, 1; subc.u32 %r3, 5, 0;", 5},
		{"sub.cc.u32 %r2, 0, 1; subc.u32 %r3, 5, 0;", 4},
		{"mad.lo.cc.u32 %r2, 0xffffffff, 1, 1; subc.u32 %r3, 5, 0;", 5},
		{"sub.cc.u32 %r2, 0, 1; addc.cc.u32 %r2, 0, 0; subc.u32 %r3, 5, 0;", 4},
	} {
		out, err := snippet(t, tt.chain+"\nst.global.u32 [%rd2], %r3;\nret;", 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := binary.LittleEndian.Uint32(out); got != tt.want {
			t.Errorf("%s 0x%x, want 0x%x", tt.chain, got, tt.want)
		}
	}
}

// TestCarryChains tests random chains against the definition of the adder over the integers: each instruction adds
// two numbers of n bits and the carry; a subtraction adds the complement of the second number.
func TestCarryChains(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 8))
	edges := []uint64{0, 1, 2, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1<<63 - 1, 1 << 63, 1<<64 - 1}
	pick := func(n int) uint64 {
		v := rng.Uint64()
		if rng.IntN(3) > 0 {
			v = edges[rng.IntN(len(edges))]
		}
		if n == 32 {
			v &= 1<<32 - 1
		}
		return v
	}
	for range 60 {
		n := []int{32, 64}[rng.IntN(2)]
		limit := new(big.Int).Lsh(big.NewInt(1), uint(n))
		var body strings.Builder
		var want []uint64
		carry := int64(0)
		for i := range 8 {
			base, sign, in, cc := []string{"add", "sub", "mad"}[rng.IntN(3)], []string{"u", "s"}[rng.IntN(2)], "", ".cc"
			if i > 0 && rng.IntN(3) > 0 {
				in = "c"
			}
			if i == 7 || in != "" && rng.IntN(4) == 0 {
				in, cc = "c", ""
			}
			x, y, z := pick(n), pick(n), pick(n)
			a, b := new(big.Int).SetUint64(x), new(big.Int).SetUint64(y)
			c := int64(0)
			op, operands := base+in+cc, fmt.Sprintf("0x%x, 0x%x", x, y)
			switch base {
			case "sub":
				b.Sub(b.Sub(limit, b), big.NewInt(1))
				c = 1
			case "mad":
				part := []string{"lo", "hi"}[rng.IntN(2)]
				op, operands = base+in+"."+part+cc, operands+fmt.Sprintf(", 0x%x", z)
				if sign == "s" {
					for _, v := range []*big.Int{a, b} {
						if v.Bit(n-1) == 1 {
							v.Sub(v, limit)
						}
					}
				}
				a.Mul(a, b)
				if part == "hi" {
					a.Rsh(a, uint(n))
				}
				a.Mod(a, limit)
				b.SetUint64(z)
			}
			if in != "" {
				c = carry
			}
			sum := a.Add(a, b)
			sum.Add(sum, big.NewInt(c))
			if cc != "" {
				carry = new(big.Int).Rsh(sum, uint(n)).Int64()
			}
			want = append(want, sum.Mod(sum, limit).Uint64())
			reg := map[int]string{32: "%r9", 64: "%rd9"}[n]
			fmt.Fprintf(&body, "%s.%s%d %s, %s; st.global.u%d [%%rd1+%d], %s;\n", op, sign, n, reg, operands, n, 8*i, reg)
		}
		text := strings.ReplaceAll(body.String(), "%rd9", "%rd8")
		out, err := snippet(t, text+"ret;", 16)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		for i, w := range want {
			got := binary.LittleEndian.Uint64(out[8*i:])
			if n == 32 {
				got &= 1<<32 - 1
			}
			if got != w {
				t.Fatalf("instruction %d: 0x%x, want 0x%x, in\n%s", i, got, w, text)
			}
		}
	}
}

// TestCarryUnset checks a read of a flag that no instruction has set.
func TestCarryUnset(t *testing.T) {
	t.Parallel()
	_, err := snippet(t, "addc.u32 %r2, 0, 0;\nst.global.u32 [%rd2], %r2;\nret;", 1)
	f, ok := errors.AsType[*sim.Finding](err)
	if !ok || f.Kind != sim.KindUninitialised || !strings.Contains(f.Message, "the carry flag") {
		t.Errorf("got %v", err)
	}
}
