package banks

// The banks of shared memory where no machine says otherwise.
const (
	BankCount = 32
	BankBytes = 4 // the width of a bank in bytes
)

// BankOf returns the bank of an element at an offset, in elements of the given number of bits, in a tile that begins in
// bank 0. For an element wider than a bank, BankOf returns the element's first bank.
func BankOf(offset int64, bits int) int64 {
	const again = 8 * BankBytes * BankCount // after this many elements of any width, the pattern of banks repeats
	return ((offset%again + again) % again * int64(bits) / (8 * BankBytes)) % BankCount
}
