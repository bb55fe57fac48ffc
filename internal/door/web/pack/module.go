package pack

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The identifiers of the sections that are looked into.
const (
	sectionCustom = 0
	sectionTable  = 9
	sectionCode   = 10
	sectionData   = 11
)

// header is the magic and the version of a binary module.
const header = "\x00asm\x01\x00\x00\x00"

// errShort is of a module that ends too early.
var errShort = errors.New("the module ends in the middle of something")

// A section is one of a module.
type section struct {
	id   byte
	body []byte
}

// parse splits a module into its sections.
func parse(b []byte) ([]section, error) {
	if len(b) < len(header) || string(b[:len(header)]) != header {
		return nil, fmt.Errorf("expected a WebAssembly module of version 1, found %.20q", b)
	}
	var list []section
	r := reader{b: b, at: len(header)}
	for r.at < len(b) {
		id := r.byte()
		body := r.bytes(int(r.uint()))
		if r.err != nil {
			return nil, r.err
		}
		list = append(list, section{id, body})
	}
	return list, nil
}

// join writes sections as a module. Custom sections, which do nothing, are left out.
func join(list []section) []byte {
	out := []byte(header)
	for _, s := range list {
		if s.id == sectionCustom {
			continue
		}
		out = append(out, s.id)
		out = binary.AppendUvarint(out, uint64(len(s.body)))
		out = append(out, s.body...)
	}
	return out
}

// find returns the body of the section, nil if there is none.
func find(list []section, id byte) *section {
	for i := range list {
		if list[i].id == id {
			return &list[i]
		}
	}
	return nil
}

// A reader reads the numbers of a module; after an error it returns zeros.
type reader struct {
	b   []byte
	at  int
	err error
}

func (r *reader) byte() byte {
	if r.at >= len(r.b) {
		r.err = errShort
		return 0
	}
	r.at++
	return r.b[r.at-1]
}

func (r *reader) bytes(n int) []byte {
	if n < 0 || n > len(r.b)-r.at {
		r.err = errShort
		return nil
	}
	r.at += n
	return r.b[r.at-n : r.at : r.at]
}

// uint reads an unsigned number in LEB128, of at most 32 bits.
func (r *reader) uint() uint32 {
	v, n := binary.Uvarint(r.b[min(r.at, len(r.b)):])
	if n <= 0 || v > 1<<32-1 {
		r.err = errShort
		return 0
	}
	r.at += n
	return uint32(v)
}

// int reads a signed number in LEB128.
func (r *reader) int() int64 {
	var v int64
	for shift := uint(0); shift < 64; shift += 7 {
		c := r.byte()
		v |= int64(c&0x7f) << shift
		if c < 0x80 {
			if c&0x40 != 0 && shift+7 < 64 {
				v |= -1 << (shift + 7)
			}
			return v
		}
	}
	r.err = errShort
	return 0
}

// appendInt appends a signed number in LEB128.
func appendInt(dst []byte, v int64) []byte {
	for {
		c := byte(v & 0x7f)
		v >>= 7
		if v == 0 && c&0x40 == 0 || v == -1 && c&0x40 != 0 {
			return append(dst, c)
		}
		dst = append(dst, c|0x80)
	}
}
