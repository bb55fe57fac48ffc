package service

import (
	"fmt"
	"strconv"
	"strings"
)

// This file reads the lists and matrices that people paste.

// matrixRows reads rows of 0 and 1: "101;010;001", lines, or [[1,0],[0,1]]. It needs two rows.
func matrixRows(text string) ([][]byte, bool) {
	var rows [][]byte
	for _, line := range strings.FieldsFunc(text, func(r rune) bool { return r == ';' || r == '\n' || r == ']' }) {
		var row []byte
		for i := range len(line) {
			switch c := line[i]; c {
			case '0', '1':
				row = append(row, c)
			case ' ', '\t', '\r', ',', '[':
			default:
				return nil, false
			}
		}
		if len(row) > 0 {
			rows = append(rows, row)
		}
	}
	for _, row := range rows {
		if len(row) != len(rows[0]) {
			return nil, false
		}
	}
	return rows, len(rows) > 1
}

// numbers reads a list of offsets: decimal or hexadecimal, with blanks, commas, semicolons or brackets between them.
// Numbers in parentheses without a 0 are a shape, not offsets.
func numbers(text string) ([]int64, bool) {
	fields := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n,;[]{}()", r) })
	zero := false
	var xs []int64
	for _, f := range fields {
		x, err := strconv.ParseInt(f, 0, 64)
		if err != nil {
			return nil, false
		}
		zero = zero || x == 0
		xs = append(xs, x)
	}
	return xs, len(xs) > 1 && (zero || !strings.ContainsAny(text, "()"))
}

// numbersText writes a list of offsets, at most sixteen of them.
func numbersText(xs []int64) string {
	var parts []string
	for i, x := range xs {
		if i == 15 && len(xs) > 16 {
			parts = append(parts, fmt.Sprintf("... (%d offsets)", len(xs)))
			break
		}
		parts = append(parts, fmt.Sprint(x))
	}
	return strings.Join(parts, ",")
}
