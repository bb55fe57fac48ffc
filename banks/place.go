package banks

// The banks of shared memory where no machine says otherwise.
const (
	BankCount = 32
	BankBytes = 4 // the width of one
)

// BankOf returns the bank of an element of so many bits at an offset, in elements, in a tile that begins in bank 0; it
// is the first of those of a wider element.
func BankOf(offset int64, bits int) int64 {
	const again = 8 * BankBytes * BankCount // so many elements, of whatever width, end where the banks begin again
	return ((offset%again + again) % again * int64(bits) / (8 * BankBytes)) % BankCount
}
