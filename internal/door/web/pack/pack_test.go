package pack

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// program panics, recovers, grows its stack, collects garbage, runs goroutines and calls through interfaces, and prints
// what comes out of it: all that a program needs the table of functions for.
const program = `package main

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"sort"
	"strings"
	"sync"
)

type node struct{ left, right *node; v [9]int }

func tree(d int) *node {
	if d == 0 {
		return &node{v: [9]int{d, 1}}
	}
	return &node{tree(d - 1), tree(d - 1), [9]int{d}}
}

func (n *node) sum() int {
	if n == nil {
		return 0
	}
	return n.v[0] + n.v[1] + n.left.sum() + n.right.sum()
}

func deep(n int) int {
	var room [40]int
	room[n%40] = n
	if n == 0 {
		return 0
	}
	return deep(n-1) + room[n%40] - n + 1
}

type shape interface{ area() float64 }
type square float64
func (s square) area() float64 { return float64(s * s) }

func try(f func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("recovered: %v", p)
		}
	}()
	f()
	return nil
}

func main() {
	var none *square
	var s shape = none
	var list []int
	zero := 0
	fmt.Println(try(func() { _ = list[3] }), try(func() { _ = 1 / zero }), try(func() { panic(errors.New("mine")) }), try(func() { _ = s.area() }))
	fmt.Println(try(func() { _ = any("x").(int) }), try(func() { try(func() { panic(1) }); panic(2) }))
	total := 0
	for i := range 30 {
		total += tree(12).sum() + i
		if i%10 == 0 {
			runtime.GC()
		}
	}
	fmt.Println(total, deep(3000))
	var wg sync.WaitGroup
	sums := make([]int, 20)
	for i := range sums {
		wg.Add(1)
		go func() {
			defer wg.Done()
			runtime.Gosched()
			sums[i] = deep(100*i) + tree(i%8).sum()
		}()
	}
	wg.Wait()
	runtime.GC()
	f := reflect.MakeFunc(reflect.TypeOf(func(int) int { return 0 }), func(a []reflect.Value) []reflect.Value {
		runtime.GC()
		return []reflect.Value{reflect.ValueOf(int(a[0].Int()) + deep(50))}
	}).Interface().(func(int) int)
	m := reflect.ValueOf(square(3)).MethodByName("area")
	if m.IsValid() {
		fmt.Println("unexported methods have no value")
	}
	words := strings.Fields("the quick brown fox")
	sort.Slice(words, func(i, j int) bool { return words[i] < words[j] })
	fmt.Println(sums, f(7), words, fmt.Sprintf("%v %+v %T", square(2), struct{ A, B any }{1, "x"}, s))
}
`

// build compiles a program for WebAssembly as the engine is compiled.
func build(t *testing.T, source string) (module []byte, version, goroot string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"main.go": source, "go.mod": "module program\n\ngo 1.26\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) string {
		c := exec.CommandContext(t.Context(), "go", args...)
		c.Dir = dir
		c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=")
		c.Stderr = t.Output()
		out, err := c.Output()
		if err != nil {
			t.Fatal(args, err)
		}
		return strings.TrimSpace(string(out))
	}
	run("build", "-trimpath", "-buildvcs=false", "-gcflags=all=-l", "-ldflags=-s -w", "-o", "program.wasm", ".")
	module, err := os.ReadFile(filepath.Join(dir, "program.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	return module, run("env", "GOVERSION"), run("env", "GOROOT")
}

// A program prints the same before and after, and packing is undone exactly.
func TestProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	t.Parallel()
	module, version, goroot := build(t, program)
	smaller, kept, err := Module(module, version)
	if err != nil || kept != nil {
		t.Fatal(err, kept)
	}
	packed, err := Pack(smaller) // compares what unpack makes of it
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes, then %d, packed %d", len(module), len(smaller), len(packed))
	if 5*len(packed) > len(module) {
		t.Errorf("packed it has %d of %d bytes", len(packed), len(module))
	}
	other, kept, err := Module(module, "go1.27")
	if err != nil || kept == nil {
		t.Fatal("the function table of an unknown toolchain is taken for known", err)
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node to run it")
	}
	want := node(t, goroot, module)
	if !strings.Contains(want, "recovered: mine") || !strings.Contains(want, "pack_test") && strings.Count(want, "\n") < 4 {
		t.Fatalf("the program printed\n%s", want)
	}
	for name, m := range map[string][]byte{"smaller": smaller, "with its function table": other} {
		if got := node(t, goroot, m); got != want {
			t.Errorf("%s: it prints\n%s\nwant\n%s", name, got, want)
		}
	}
}

func node(t *testing.T, goroot string, module []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "m.wasm")
	if err := os.WriteFile(file, module, 0o644); err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), "node", "--stack-size=8192", filepath.Join(goroot, "lib", "wasm", "wasm_exec_node.js"), file)
	c.Stderr = t.Output()
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

func TestFold(t *testing.T) {
	t.Parallel()
	get := func(a int64) instr { return instr{op: opLocalGet, a: a} }
	one := func(op byte) instr { return instr{op: op} }
	i32, i64 := func(a int64) instr { return instr{op: opI32Const, a: a} }, func(a int64) instr { return instr{op: opI64Const, a: a} }
	load, store := func(off int64) instr { return instr{op: 0x29, a: 3, b: off} }, func(off int64) instr { return instr{op: 0x37, a: 3, b: off} }
	address := func(c int64) []instr { return []instr{get(1), one(opExtend), i64(c), one(opI64Add), one(opWrap)} }
	for name, c := range map[string]struct{ in, want []instr }{
		"a load from the stack":      {append(address(24), load(8)), []instr{get(1), load(32)}},
		"a store to the stack":       {append(address(24), get(2), store(0)), []instr{get(1), get(2), store(24)}},
		"a store of a sum":           {append(address(8), get(2), get(3), one(opI64Add), store(0)), []instr{get(1), get(2), get(3), one(opI64Add), store(8)}},
		"a store of what was loaded": {slices.Concat(address(8), address(16), []instr{load(0), store(0)}), []instr{get(1), get(1), load(16), store(8)}},
		"below the address":          {append(address(-8), load(0)), []instr{get(1), i32(-8), one(opI32Add), load(0)}},
		"an address by itself":       {address(1 << 32), []instr{get(1), i32(0), one(opI32Add)}},
		"a store after a call":       {append(address(8), instr{op: opCall, a: 5}, store(0)), []instr{get(1), i32(8), one(opI32Add), {op: opCall, a: 5}, store(0)}},
		"a condition": {
			[]instr{get(2), one(opI64Eqz), one(opExtend), one(opI64Eqz), one(opI32Eqz), {op: opIf, a: 0x40}},
			[]instr{get(2), one(opI64Eqz), {op: opIf, a: 0x40}},
		},
		"the opposite of less":     {[]instr{get(2), get(3), one(0x53), one(opExtend), one(opI64Eqz)}, []instr{get(2), get(3), one(0x59)}},
		"no opposite of floats":    {[]instr{get(2), get(3), one(0x63), one(opI32Eqz)}, []instr{get(2), get(3), one(0x63), one(opI32Eqz)}},
		"a wrapped constant":       {[]instr{i64(1<<32 + 5), one(opWrap)}, []instr{i32(5)}},
		"twice the stack pointer":  {pointer(i32(152), i32(8)), pointer(i32(160))},
		"a block between is a bar": {[]instr{get(1), one(opExtend), one(opEnd), one(opWrap)}, []instr{get(1), one(opExtend), one(opEnd), one(opWrap)}},
	} {
		if got := fold(slices.Clone(c.in)); !slices.EqualFunc(got, c.want, func(a, b instr) bool { return a.op == b.op && a.a == b.a && a.b == b.b }) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// pointer adds constants to the stack pointer.
func pointer(consts ...instr) (list []instr) {
	for _, c := range consts {
		list = append(list, instr{op: opLocalGet, a: 1}, c, instr{op: opI32Add}, instr{op: opLocalTee, a: 1}, instr{op: opGlobSet})
	}
	return list
}

// The opposite of a comparison is that of its opposite.
func TestOpposite(t *testing.T) {
	t.Parallel()
	for op := range 256 {
		not, ok := opposite(byte(op))
		if back, _ := opposite(not); ok && (back != byte(op) || not == byte(op)) {
			t.Errorf("the opposite of %02x is %02x, and of that %02x", op, not, back)
		}
	}
}

// Bad modules are refused.
func TestBadModules(t *testing.T) {
	t.Parallel()
	for _, b := range []string{
		"", "\x00asm", header, header + "\x0a\xff", header + "\x0a\x02\x01\x05" + "\x0b\x01\x00", header + "\x0a\x06\x01\x04\x00\xfd\x00\x0b" + "\x0b\x01\x00",
		header + "\x0a\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01",
	} {
		if _, _, err := Module([]byte(b), "go1.26"); err == nil {
			t.Errorf("%q is taken for a module with code and data", b)
		}
		if _, err := Pack([]byte(b)); err == nil {
			t.Errorf("%q is packed", b)
		}
	}
}

// A coder gives back what it was given, for bytes with and without order.
func TestCoder(t *testing.T) {
	t.Parallel()
	for _, text := range [][]byte{nil, []byte("a"), bytes.Repeat([]byte("girih "), 500), bytes.Repeat([]byte{0}, 10_000), []byte(program)} {
		d := &dataCoder{newCoder(), text}
		d.code(len(text))
		packed := d.finish()
		back := &dataCoder{newDecoder(packed), nil}
		back.code(len(text))
		if !bytes.Equal(back.t, text) {
			t.Errorf("%.30q becomes %.30q", text, back.t)
		}
		t.Logf("%d bytes in %d", len(text), len(packed))
	}
}
