package pack

import (
	"bytes"
	"fmt"
	"strings"
)

// A Go program has a table of its functions, runtime.pclntab: for each its name, its files and lines, and what the
// garbage collector and the growing of stacks need. Names, files and lines are for tracebacks only, but for the names
// that the runtime compares; strip takes them out. Everything stays at its address: what is dropped becomes zeros,
// which a module does not store. The layout is that of Go 1.26: runtime/symtab.go (pcHeader, moduledata),
// runtime/runtime2.go (_func), runtime/symtabinl.go (inlinedCall), internal/abi/symtab.go (the numbers of tables).

// Places in a pcHeader and in the moduledata, in bytes.
const (
	headerFuncs    = 8
	headerNames    = 32
	headerFiles    = 48
	headerPCs      = 56
	headerFunctab  = 64
	moduleNames    = 8
	moduleUnits    = 32
	moduleFiles    = 56
	modulePCs      = 80
	moduleFunctab  = 104
	moduleFtab     = 128
	moduleFind     = 152
	moduleGofunc   = 320
	moduleEpclntab = 328
)

// Places in a _func, and the numbers of the tables that it refers to.
const (
	funcName      = 4
	funcPCSP      = 16
	funcPCFile    = 20
	funcPCLine    = 24
	funcPCData    = 28
	funcUnit      = 32
	funcStartLine = 36
	funcID        = 40
	funcFuncData  = 43
	funcSize      = 44

	pcUnsafePoint = 0
	pcInlined     = 2
	pcArgLive     = 3
	fnInlined     = 3
	fnArgs        = 5
	fnArgLive     = 6

	idWrapper   = 23 // abi.FuncIDWrapper
	inlinedSize = 16
	none        = ^uint32(0)
)

// magic begins the table: abi.Go120PCLnTabMagic, two zeros, instructions of 1 byte, pointers of 8.
const magic = "\xf1\xff\xff\xff\x00\x00\x01\x08"

// A functab is the table in the memory of a program.
type functab struct {
	m                             memory
	head, module                  int // the addresses of the pcHeader and of the moduledata
	names, units, files, pcs, tab int // the addresses of the parts
	gofunc, end                   int
	count                         int
	keptNames, keptPCs            []byte // the new parts
	nameAt                        map[uint32]uint32
	pcAt                          map[uint32]uint32
}

// strip takes names, files and lines out of the memory of a program of Go 1.26. It returns an error, and leaves the
// memory as it is, if the table is not where it is expected or not as it is expected.
func strip(m memory) error {
	t, err := findTable(m)
	if err != nil {
		return err
	}
	if err := t.collect(); err != nil {
		return err
	}
	t.write()
	return t.arrange()
}

// findTable finds the table and checks that header and moduledata agree.
func findTable(m memory) (*functab, error) {
	for head := bytes.Index(m, []byte(magic)); head >= 0; {
		t := &functab{m: m, head: head, nameAt: map[uint32]uint32{}, pcAt: map[uint32]uint32{}}
		if t.agree() {
			return t, nil
		}
		next := bytes.Index(m[head+1:], []byte(magic))
		if next < 0 {
			break
		}
		head += 1 + next
	}
	return nil, fmt.Errorf("found no function table of Go 1.26")
}

// agree finds the moduledata of the header at t.head and reports whether the two agree.
func (t *functab) agree() bool {
	part := func(at int) int { return t.head + int(t.m.u64(t.head+at)) }
	t.names, t.units, t.files, t.pcs, t.tab = part(headerNames), part(headerNames+8), part(headerFiles), part(headerPCs), part(headerFunctab)
	t.count = int(t.m.u64(t.head + headerFuncs))
	var want [16]byte
	for i := range 8 {
		want[i], want[8+i] = byte(uint64(t.head)>>(8*i)), byte(uint64(t.names)>>(8*i))
	}
	t.module = bytes.Index(t.m, want[:])
	if t.module < 0 {
		return false
	}
	word := func(at int) int { return int(t.m.u64(t.module + at)) }
	t.gofunc, t.end = word(moduleGofunc), word(moduleEpclntab)
	return word(moduleUnits) == t.units && word(moduleFiles) == t.files && word(modulePCs) == t.pcs && word(moduleFunctab) == t.tab &&
		word(moduleFtab) == t.tab && word(moduleFtab+8) == t.count+1 &&
		t.head < t.names && t.names < t.units && t.units <= t.files && t.files < t.pcs && t.pcs < t.tab && t.tab < t.end && t.end <= len(t.m)+8 &&
		t.count > 0 && t.count < (t.end-t.tab)/8 && t.gofunc > 0 && t.gofunc < len(t.m)
}

// each calls f with the address of each _func.
func (t *functab) each(f func(fn int) error) error {
	for i := range t.count {
		fn := t.tab + int(t.m.u32(t.tab+8*i+4))
		if fn < t.tab || fn+funcSize > t.end {
			return fmt.Errorf("function %d lies outside of the table", i)
		}
		if pcs, fns := t.counts(fn); pcs > 16 || fns > 16 {
			return fmt.Errorf("function %d has %d tables of places and %d of data", i, pcs, fns)
		}
		if err := f(fn); err != nil {
			return err
		}
	}
	return nil
}

func (t *functab) counts(fn int) (pcs, fns int) {
	return int(t.m.u32(fn + funcPCData)), int(t.m[fn+funcFuncData])
}

// collect gathers the names and the tables that stay.
func (t *functab) collect() error {
	t.keptNames = []byte{0} // the empty name at 0, for all the others
	t.keptPCs = []byte{0}   // offset 0 stands for no table
	return t.each(func(fn int) error {
		if err := t.keepName(fn); err != nil {
			return err
		}
		pcs, fns := t.counts(fn)
		if err := t.keepTable(t.m.u32(fn + funcPCSP)); err != nil {
			return err
		}
		for k := range pcs {
			if k == pcUnsafePoint || k == pcArgLive || k == pcInlined && !t.inlines(fn, pcs, fns) {
				continue
			}
			if err := t.keepTable(t.m.u32(fn + funcSize + 4*k)); err != nil {
				return err
			}
		}
		return nil
	})
}

// inlines reports whether the function has a table of what is inlined into it.
func (t *functab) inlines(fn, pcs, fns int) bool {
	return pcs > pcInlined && fns > fnInlined && t.m.u32(fn+funcSize+4*(pcs+fnInlined)) != none
}

// keepName keeps a name that the runtime compares: those of package runtime, by which it knows its own goroutines,
// those of wrappers, which it takes apart for the message of a panic, and two of package reflect, whose frames are
// special.
func (t *functab) keepName(fn int) error {
	off := t.m.u32(fn + funcName)
	if int(off) >= t.units-t.names {
		return fmt.Errorf("a name lies outside of the table")
	}
	rest := t.m[t.names+int(off) : t.units]
	end := bytes.IndexByte(rest, 0)
	if end < 0 {
		return fmt.Errorf("a name does not end")
	}
	name := string(rest[:end])
	if t.m[fn+funcID] != idWrapper && !strings.HasPrefix(name, "runtime.") && name != "reflect.makeFuncStub" && name != "reflect.methodValueCall" {
		return nil
	}
	if _, ok := t.nameAt[off]; !ok {
		t.nameAt[off] = uint32(len(t.keptNames))
		t.keptNames = append(append(t.keptNames, name...), 0)
	}
	return nil
}

// keepTable keeps a table of values by places: pairs of numbers, ended by a 0 for the value, but at the start.
func (t *functab) keepTable(off uint32) error {
	if off == 0 {
		return nil
	}
	if _, ok := t.pcAt[off]; ok {
		return nil
	}
	if int(off) >= t.tab-t.pcs {
		return fmt.Errorf("a table of places lies outside of its part")
	}
	r := reader{b: t.m[t.pcs+int(off) : t.tab]}
	for first := true; ; first = false {
		if v := r.uint(); v == 0 && !first {
			break
		}
		r.uint()
		if r.err != nil {
			return r.err
		}
	}
	t.pcAt[off] = uint32(len(t.keptPCs))
	t.keptPCs = append(t.keptPCs, r.b[:r.at]...)
	return nil
}

// write puts the new parts in place of the old ones and points the functions to them.
func (t *functab) write() {
	t.each(func(fn int) error {
		pcs, fns := t.counts(fn)
		inlines := t.inlines(fn, pcs, fns)
		t.m.put(fn+funcName, t.nameAt[t.m.u32(fn+funcName)])
		t.m.put(fn+funcPCSP, t.pcAt[t.m.u32(fn+funcPCSP)])
		for _, at := range []int{funcPCFile, funcPCLine, funcUnit, funcStartLine} {
			t.m.put(fn+at, 0)
		}
		if inlines {
			t.forgetInlined(fn, pcs)
		}
		for k := range pcs {
			at := fn + funcSize + 4*k
			if k == pcUnsafePoint || k == pcArgLive || k == pcInlined && !inlines {
				t.m.put(at, 0)
				continue
			}
			t.m.put(at, t.pcAt[t.m.u32(at)])
		}
		return nil
	}) // collect has seen the errors
	replace := func(at, end int, part []byte) { clear(t.m[at+copy(t.m[at:end], part) : end]) }
	replace(t.names, t.units, t.keptNames)
	replace(t.units, t.pcs, nil)
	replace(t.pcs, t.tab, t.keptPCs)
}

// forgetInlined takes the names and the lines out of the calls that are inlined into a function; their identifiers
// stay.
func (t *functab) forgetInlined(fn, pcs int) {
	last := -1
	r := reader{b: t.m[t.pcs+int(t.m.u32(fn+funcSize+4*pcInlined)) : t.tab]}
	for v, first := -1, true; r.err == nil; first = false {
		d := r.uint()
		if d == 0 && !first {
			break
		}
		v += int(d>>1) ^ -int(d&1)
		last = max(last, v)
		r.uint()
	}
	list := t.gofunc + int(t.m.u32(fn+funcSize+4*(pcs+fnInlined)))
	for i := 0; i <= last && list+inlinedSize*(i+1) <= len(t.m); i++ {
		t.m.put(list+inlinedSize*i+4, 0)
		t.m.put(list+inlinedSize*i+12, 0)
	}
}
