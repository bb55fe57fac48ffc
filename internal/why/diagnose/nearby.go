package diagnose

import (
	"fmt"
	"strconv"

	"girih/internal/ints"
)

// maxTries limits the distance between a number and the numbers tried in its place.
const maxTries = 512

// number returns the k-th integer in a text, counted from 0, and its place.
func number(text string, k int) (n int64, start, end int, ok bool) {
	for i := 0; i < len(text); i++ {
		if text[i] < '0' || text[i] > '9' {
			continue
		}
		j := i
		for j < len(text) && text[j] >= '0' && text[j] <= '9' {
			j++
		}
		if k == 0 {
			n, err := strconv.ParseInt(text[i:j], 10, 64)
			return n, i, j, err == nil
		}
		k--
		i = j
	}
	return 0, 0, 0, false
}

// withNumber returns the text with its k-th integer replaced.
func withNumber(text string, k int, n int64) string {
	_, start, end, ok := number(text, k)
	if !ok {
		return text
	}
	return text[:start] + strconv.FormatInt(n, 10) + text[end:]
}

// nearby offers the operation with the k-th integer of operand i replaced by the nearest smaller and the nearest larger
// integer that work. what names the integer.
func (f *failure) nearby(o operation, i, k int, what string) {
	n, _, _, ok := number(o.args[i], k)
	if !ok || n <= 0 {
		return
	}
	try := func(x int64) bool {
		c := o.with(i, withNumber(o.args[i], k, x))
		if _, ok := f.works(c); !ok {
			return false
		}
		return f.offer(fmt.Sprintf("%s %d instead of %d", what, x, n), c)
	}
	for x := n - 1; x >= max(1, n-maxTries); x-- {
		if x > 1 || n <= 4 {
			if try(x) {
				break
			}
		}
	}
	for x := n + 1; x > n && x-n <= maxTries; x++ { // x overflows to a negative number beyond the largest integer
		if try(x) {
			break
		}
	}
}

// divisors returns the largest divisor of n that is at most t, and the smallest divisor that is at least t.
func divisors(n, t int64) (below, above int64) {
	for below = min(t, n); below > 1 && n%below != 0; below-- {
		if t-below > maxDivisor {
			return 1, 0
		}
	}
	for above = t; above <= n && n%above != 0; above++ {
		if above-t > maxDivisor {
			return below, 0
		}
	}
	if above > n {
		above = 0
	}
	return below, above
}

// maxDivisor limits the search for a divisor near a number.
const maxDivisor = 1 << 20

// roundUp returns the smallest multiple of t that is at least n, for positive integers. If that multiple does not fit
// in 64 bits, roundUp returns n.
func roundUp(n, t int64) int64 {
	if up, ok := ints.Mul(ints.CeilDiv(n, t), t); ok {
		return up
	}
	return n
}
