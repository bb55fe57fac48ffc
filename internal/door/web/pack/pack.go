package pack

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
)

// Module returns a module of the same program that is smaller. version is that of the toolchain that linked it, as go
// env GOVERSION says it: the function table of another one than Go 1.26 stays as it is, and the second result says so.
func Module(module []byte, version string) (smaller []byte, kept error, err error) {
	list, err := parse(module)
	if err != nil {
		return nil, nil, err
	}
	code, data := find(list, sectionCode), find(list, sectionData)
	if code == nil || data == nil {
		return nil, nil, errors.New("the module has no code or no data")
	}
	fns, err := functions(code.body)
	if err != nil {
		return nil, nil, err
	}
	for i := range fns {
		fns[i].code = fold(fns[i].code)
	}
	code.body = codeSection(fns)
	m, err := readData(data.body)
	if err != nil {
		return nil, nil, err
	}
	if kept = errors.New("the function table of " + version + " is not known"); version == "go1.26" || strings.HasPrefix(version, "go1.26.") {
		kept = strip(m)
	}
	data.body = m.data()
	return join(list), kept, nil
}

// signature begins a packed module.
const signature = "girih\x00wasm\x01"

// Pack writes a module in the packed format:
//
//	signature
//	the length of the module and its CRC-32, 4 bytes each
//	9 numbers in LEB128: the number of functions; the index of the first element and of the first function of the table, and how many
//	it has; the lengths of what stands before the table, of the memory and of the coded code; the address of Go's table of functions
//	and how many it has
//	the rankings: for each class of bytes that has one its number plus 1, the number of bytes and these; at last 0
//	the code, coded; the rest, coded: what stands before the table, and the memory
//
// The module must have its sections in the order of the Go linker.
func Pack(module []byte) ([]byte, error) {
	s, err := take(module)
	if err != nil {
		return nil, err
	}
	var shaped []byte
	for i, f := range s.fns {
		shaped = appendShape(shaped, i, f)
	}
	first := newCodeCoder(newCoder(), [classes]*ranking{})
	for i := range first.ranks {
		first.ranks[i] = newRanking(nil)
	}
	first.t, first.freq = shaped, new([classes][256]int)
	first.functions(len(s.fns))
	c := newCodeCoder(newCoder(), rankings(first.freq))
	c.t = shaped
	c.functions(len(s.fns))
	code := c.finish()
	differences(s.m, s.tab, s.funcs)
	d := &dataCoder{newCoder(), append(bytes.Clone(s.prefix), s.m...)}
	d.code(len(d.t))

	out := []byte(signature)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(module)))
	out = binary.LittleEndian.AppendUint32(out, crc32.ChecksumIEEE(module))
	for _, n := range []int{len(s.fns), s.offset, s.first, s.count, len(s.prefix), len(s.m), len(code), s.tab, s.funcs} {
		out = binary.AppendUvarint(out, uint64(n))
	}
	for i, r := range c.ranks {
		if len(r.first) > 0 {
			out = append(binary.AppendUvarint(out, uint64(i+1)), byte(len(r.first)))
			out = append(out, r.first...)
		}
	}
	out = append(out, 0)
	out = append(out, code...)
	out = append(out, d.finish()...)
	back, err := unpack(out)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(back, module) {
		return nil, errors.New("the module is not written as the Go linker and Module write it")
	}
	return out, nil
}

// rankings returns the most frequent bytes of each class.
func rankings(freq *[classes][256]int) (ranks [classes]*ranking) {
	for i := range ranks {
		var all []byte
		for b := range 256 {
			if freq[i][b] > 0 {
				all = append(all, byte(b))
			}
		}
		slices.SortStableFunc(all, func(a, b byte) int { return freq[i][b] - freq[i][a] })
		ranks[i] = newRanking(all[:min(len(all), 15)])
	}
	return ranks
}

// The parts of a module.
type parts struct {
	prefix               []byte // the sections before the table, with their headers
	offset, first, count int    // the table has count functions from first on, from element offset on
	fns                  []function
	m                    memory
	tab, funcs           int // the address of the table of functions in the memory, if it is known, and how many it has
}

// take takes a module apart.
func take(module []byte) (*parts, error) {
	list, err := parse(module)
	if err != nil {
		return nil, err
	}
	n := len(list)
	if n < 3 || list[n-3].id != sectionTable || list[n-2].id != sectionCode || list[n-1].id != sectionData {
		return nil, errors.New("expected a table, code and data as the last sections")
	}
	s := &parts{prefix: join(list[:n-3])[len(header):]}
	r := reader{b: list[n-3].body}
	one, kind, op := r.uint(), r.uint(), r.byte()
	offset, end := r.int(), r.byte()
	s.offset, s.count = int(offset), int(r.uint())
	for i := range s.count {
		f := int(r.uint())
		if i == 0 {
			s.first = f
		}
		if r.err != nil || f != s.first+i {
			return nil, errors.New("expected a table of functions in their order")
		}
	}
	if r.err != nil || one != 1 || kind != 0 || op != opI32Const || end != opEnd || s.offset < 0 {
		return nil, errors.New("expected one table at a constant place")
	}
	if s.fns, err = functions(list[n-2].body); err != nil {
		return nil, err
	}
	if s.m, err = readData(list[n-1].body); err != nil {
		return nil, err
	}
	if t, err := findTable(s.m); err == nil && t.collect() == nil { // otherwise it is packed as any data
		s.tab, s.funcs = t.tab, t.count
	}
	return s, nil
}

// module puts the parts together.
func (s *parts) module() []byte {
	table := appendInt([]byte{1, 0, opI32Const}, int64(s.offset))
	table = binary.AppendUvarint(append(table, opEnd), uint64(s.count))
	for i := range s.count {
		table = binary.AppendUvarint(table, uint64(s.first+i))
	}
	out := append([]byte(header), s.prefix...)
	for _, x := range []section{{sectionTable, table}, {sectionCode, codeSection(s.fns)}, {sectionData, s.m.data()}} {
		out = append(binary.AppendUvarint(append(out, x.id), uint64(len(x.body))), x.body...)
	}
	return out
}

// unpack is the inverse of [Pack], for packed modules that Pack wrote; ui/unpack.ts is the same for the page.
func unpack(packed []byte) ([]byte, error) {
	if !bytes.HasPrefix(packed, []byte(signature)) {
		return nil, errors.New("not a packed module")
	}
	r := reader{b: packed, at: len(signature)}
	head := r.bytes(8)
	var n [9]int
	for i := range n {
		n[i] = int(r.uint())
	}
	var ranks [classes]*ranking
	for i := range ranks {
		ranks[i] = newRanking(nil)
	}
	for {
		i := int(r.uint())
		if i == 0 {
			break
		}
		first := r.bytes(int(r.byte()))
		if r.err != nil || i > classes || len(first) > 15 {
			return nil, errors.New("the packed module is damaged")
		}
		ranks[i-1] = newRanking(first)
	}
	code := r.bytes(n[6])
	if r.err != nil {
		return nil, r.err
	}
	c := newCodeCoder(newDecoder(code), ranks)
	c.functions(n[0])
	d := &dataCoder{newDecoder(packed[r.at:]), nil}
	d.code(n[4] + n[5])
	s := &parts{offset: n[1], first: n[2], count: n[3], prefix: d.t[:n[4]], m: d.t[n[4]:]}
	sums(s.m, n[7], n[8])
	in := reader{b: c.t}
	for f := range n[0] {
		s.fns = append(s.fns, unshape(&in, f))
	}
	if in.err != nil {
		return nil, in.err
	}
	out := s.module()
	if len(out) != int(binary.LittleEndian.Uint32(head)) || crc32.ChecksumIEEE(out) != binary.LittleEndian.Uint32(head[4:]) {
		return nil, fmt.Errorf("the packed module is damaged")
	}
	return out, nil
}
