package sim_test

import (
	"context"
	"fmt"

	"girih/ptx"
	"girih/ptx/sim"
)

// recordedRun runs a kernel that stores x[1] and x[0] + x[1] to y, and returns the record.
func recordedRun(load func(*ptx.Module) (*sim.Program, error)) (*sim.Recording, error) {
	tree, _ := ptx.Parse(".version 8.3 .target sm_80 .address_size 64 .visible .entry k(.param .u64 px, .param .u64 py) {\n" +
		".reg .b32 %r<4>; .reg .b64 %rd<3>; ld.param.u64 %rd1, [px]; ld.param.u64 %rd2, [py];\n" +
		"ld.global.b32 %r1, [%rd1];\n" +
		"ld.global.b32 %r2, [%rd1+4];\n" +
		"add.u32 %r3, %r1, %r2;\n" +
		"st.global.b32 [%rd2], %r2;\n" +
		"st.global.b32 [%rd2+4], %r3;\n" +
		"ret; }\n")
	p, err := load(tree)
	if err != nil {
		return nil, err
	}
	m, _ := p.NewMemory()
	x, _ := m.Put("x", []byte{1, 2, 3, 4, 5, 6, 7, 8})
	y, _ := m.Alloc("y", 8)
	rec := &sim.Recording{Pieces: 100}
	_, err = p.Run(context.Background(), m, sim.Launch{
		Block: sim.Dim{X: 1}, Args: []sim.Arg{sim.Pointer(x, 0), sim.Pointer(y, 0)}, Record: rec,
	})
	return rec, err
}

func ExampleRecording() {
	rec, _ := recordedRun(sim.LoadRecorded)
	for _, m := range rec.Moves {
		if m.Kind != sim.MoveStore {
			continue
		}
		if n := rec.Node(m.Held[0]); n != nil {
			fmt.Printf("line %d stores what line %d computed\n", m.Line, n.Line)
			continue
		}
		part, offset := rec.Byte(m.Held[0])
		fmt.Printf("line %d stores byte %d of %s\n", m.Line, offset, rec.Parts[part].Name)
	}
	// Output:
	// line 6 stores byte 4 of x
	// line 7 stores what line 5 computed
}

func ExampleLoadRecorded() {
	_, err := recordedRun(sim.Load)
	fmt.Println(err)
	rec, _ := recordedRun(sim.LoadRecorded)
	fmt.Println(len(rec.Moves), "moves")
	// Output:
	// launch: the program was loaded without what a recording needs
	// 4 moves
}
