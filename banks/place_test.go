package banks_test

import (
	"testing"

	"girih/banks"
)

// TestBankOf compares banks with their definition in bits.
func TestBankOf(t *testing.T) {
	t.Parallel()
	for _, bits := range []int{1, 2, 4, 6, 8, 16, 32, 64, 128} {
		for x := range int64(3000) {
			if want := x * int64(bits) / 32 % 32; banks.BankOf(x, bits) != want {
				t.Fatalf("element %d of %d bits: expected bank %d, found %d", x, bits, want, banks.BankOf(x, bits))
			}
		}
	}
	if b := banks.BankOf(-1, 32); b != 31 {
		t.Errorf("expected bank 31 before the tile, found %d", b)
	}
}
