package sim_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"girih/ptx/sim"
)

// matrixByteKernel fills 1024 bytes of shared memory with bytes 5·i + i/64, runs an instruction with the row of each
// lane in %a, and stores %r1 to %r4 and then the 16 bytes at the lane's row.
func matrixByteKernel(body string) string {
	return ".version 8.7\n.target sm_100a\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<20>, %a, %t, %x; .reg .b64 %out; .reg .pred %p;\n" +
		".shared .align 128 .b8 tile[1024];\nmov.u32 %t, %tid.x; mov.u32 %a, tile; ld.param.u64 %out, [out]; mad.wide.u32 %out, %t, 32, %out;\n" +
		"mov.u32 %r0, 0;\nfill: mad.lo.u32 %x, %r0, 32, %t; mul.lo.u32 %r6, %x, 5; shr.u32 %r7, %x, 6; add.u32 %r6, %r6, %r7; add.u32 %x, %x, %a; st.shared.u8 [%x], %r6;\n" +
		"add.u32 %r0, %r0, 1; setp.lt.u32 %p, %r0, 32; @%p bra fill;\nbar.sync 0;\nmad.lo.u32 %a, %t, 16, %a;\n" +
		"mov.u32 %r1, 0; mov.u32 %r2, 0; mov.u32 %r3, 0; mov.u32 %r4, 0;\n" + body +
		"\nbar.sync 0; st.global.v4.u32 [%out], {%r1, %r2, %r3, %r4}; ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [%a]; st.global.v4.u32 [%out+16], {%r1, %r2, %r3, %r4}; ret;\n}\n"
}

func runMatrixByte(t *testing.T, text string) ([]byte, *sim.Finding) {
	t.Helper()
	p := loadText(t, text)
	m := memory(t, p)
	out := put(t, m, make([]uint32, 256))
	_, err := p.Run(context.Background(), m, sim.Launch{Block: sim.Dim{X: 32}, Args: []sim.Arg{sim.Pointer(out, 0)}})
	f, ok := errors.AsType[*sim.Finding](err)
	if err != nil && !ok {
		t.Fatal(err)
	}
	var list []byte
	for _, x := range get[uint32](t, out) {
		list = binary.LittleEndian.AppendUint32(list, x)
	}
	return list, f
}

// element returns element i, of some bits, of a row of the filled memory.
func element(row, i, bits int) byte {
	v := 0
	for b := range bits {
		at := i*bits + b
		x := row*16 + at/8
		v |= (5*x + x/64) & 0xff >> (at % 8) & 1 << b
	}
	return byte(v)
}

// TestMatrixBytes compares ldmatrix and stmatrix on elements of 4, 6 and 8 bits with the figures of the PTX ISA.
func TestMatrixBytes(t *testing.T) {
	t.Parallel()
	registers := []string{"", "{%r1}", "{%r1, %r2}", "", "{%r1, %r2, %r3, %r4}"}
	for format, bits := range map[string]int{"b8": 8, "b8x16.b6x16_p32": 6, "b8x16.b4x16_p64": 4} {
		for _, n := range []int{1, 2, 4} {
			if n < 4 { // column-major: a register has 4 rows of a column
				out, f := runMatrixByte(t, matrixByteKernel(fmt.Sprintf(
					"ldmatrix.sync.aligned.m16n16.x%d.trans.shared.%s %s, [%%a];", n, format, registers[2*n])))
				if f != nil {
					t.Fatal(f)
				}
				for i := range 32 * 8 * n {
					lane, r, e := i/(8*n), i/4%(2*n), i%4
					if got, want := out[32*lane+4*r+e], element(16*(r/2)+lane%4*4+e, r%2*8+lane/4, bits); got != want {
						t.Fatalf("m16n16.x%d.%s: byte %d of register %d of lane %d is %d, want %d", n, format, e, r, lane, got, want)
					}
				}
			}
			if bits == 8 {
				continue
			}
			out, f := runMatrixByte(t, matrixByteKernel(fmt.Sprintf(
				"ldmatrix.sync.aligned.m8n16.x%d.shared.%s %s, [%%a];", n, format, registers[n])))
			if f != nil {
				t.Fatal(f)
			}
			for i := range 32 * 4 * n {
				lane, r, e := i/(4*n), i/4%n, i%4
				if got, want := out[32*lane+4*r+e], element(8*r+lane/4, lane%4*4+e, bits); got != want {
					t.Fatalf("m8n16.x%d.%s: byte %d of register %d of lane %d is %d, want %d", n, format, e, r, lane, got, want)
				}
			}
		}
	}
}

// TestStoreMatrixBytes stores bytes that ldmatrix of 16 bits would read back transposed, and checks where each goes.
func TestStoreMatrixBytes(t *testing.T) {
	t.Parallel()
	set := ""
	for r := range 4 {
		set += fmt.Sprintf("mad.lo.u32 %%r%d, %%t, 0x04040404, %d;\n", r+1, 0x03020100+0x80808080*(r&1)+0x11111111*(r>>1))
	}
	out, f := runMatrixByte(t, matrixByteKernel(set+"stmatrix.sync.aligned.m16n8.x4.trans.shared.b8 [%a], {%r1, %r2, %r3, %r4};"))
	if f != nil {
		t.Fatal(f)
	}
	for row := range 32 {
		for column := range 16 {
			r, lane, e := row/8, row%8/2+column%8*4, row%2+column/8*2
			if got, want := out[32*row+16+column], out[32*lane+4*r+e]; got != want {
				t.Fatalf("byte %d of row %d is %d, want %d", column, row, got, want)
			}
		}
	}
}

// TestMatrixBytesFindings checks what is refused, and values that come from unwritten bytes.
func TestMatrixBytesFindings(t *testing.T) {
	t.Parallel()
	const six = "ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b6x16_p32 {%r1}, [%a];"
	for want, text := range map[string]string{
		"there is no ldmatrix": matrixByteKernel("ldmatrix.sync.aligned.m16n16.x4.trans.shared.b8 {%r1, %r2, %r3, %r4}, [%a];"),
		"no ldmatrix of these": matrixByteKernel("ldmatrix.sync.aligned.m8n16.x1.shared.b8 {%r1}, [%a];"),
		"there is no stmatrix": matrixByteKernel("stmatrix.sync.aligned.m16n8.x1.shared.b8 [%a], {%r1};"),
		"expected 2":           matrixByteKernel("ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r1}, [%a];"),
		"needs sm_100a":        strings.Replace(matrixByteKernel(six), "sm_100a", "sm_90a", 1),
		"16 bytes":             strings.Replace(matrixByteKernel(six), "setp.lt.u32 %p, %r0, 32", "setp.lt.u32 %p, %r0, 0", 1),
		"": strings.Replace(matrixByteKernel(six+"\nmov.u32 %a, tile;"), "st.shared.u8 [%x]", // padding that nobody wrote
			"and.b32 %r8, %x, 15; setp.lt.u32 %p, %r8, 12; @%p st.shared.u8 [%x]", 1),
	} {
		const again = "ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [%a]; st.global.v4.u32 [%out+16], {%r1, %r2, %r3, %r4};"
		text = strings.Replace(text, again, "", 1)
		_, f := runMatrixByte(t, text)
		if want == "" && f != nil || want != "" && (f == nil || !strings.Contains(f.Message, want)) {
			t.Errorf("%v, want %q", f, want)
		}
	}
}
