package command

import "strconv"

// NumberOrNone returns n in decimal, or nothing if n is 0.
func NumberOrNone(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// Dash returns s, or a dash if s is empty.
func Dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
