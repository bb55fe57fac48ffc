package banks

import (
	"girih/cute"
)

// This file counts the traffic of asynchronous copies, which bypass the part of a machine that has wavefronts.

// bulkBytes is the alignment of the addresses and the size of a bulk copy (PTX ISA, "cp.async.bulk"), and the number of
// bytes that a lane of cp.async.cg copies.
const bulkBytes = 16

// checkBulk refuses a size that no bulk copy has.
func checkBulk(bytes int64) error {
	switch {
	case bytes%bulkBytes != 0:
		return refuse(cute.CodeNotDivisible, "",
			"a bulk copy has addresses and a size that are multiples of 16 bytes, found %d", bytes)
	case bytes < bulkBytes || bytes > 1<<20:
		return refuse(cute.CodeExtent, "", "expected a copy of 16 to %d bytes, found %d", 1<<20, bytes)
	}
	return nil
}

// checkBulkAddress refuses an address that no bulk copy has.
func checkBulkAddress(at int64) error {
	switch {
	case at%bulkBytes != 0:
		return checkBulk(at)
	case at < 0:
		return refuse(cute.CodeNegative, "", "expected addresses from 0 on, found %d", at)
	case at > 1<<60:
		return refuse(cute.CodeOverflow, "", "the address %d is beyond any memory", at)
	}
	return nil
}

// checkBulkCopy refuses a bulk copy with an impossible address or size.
func checkBulkCopy(a, b, bytes int64) error {
	for _, at := range []int64{a, b} {
		if err := checkBulkAddress(at); err != nil {
			return err
		}
	}
	return checkBulk(bytes)
}

// countTouched returns the numbers of sectors and lines that a run of bytes touches.
func countTouched(at, bytes int64) (sectors, lines int) {
	last := at + bytes - 1
	return int(last/SectorBytes - at/SectorBytes + 1), int(last/LineBytes - at/LineBytes + 1)
}

// BulkTraffic returns the traffic in global memory of a bulk copy of the given number of bytes (PTX ISA,
// "cp.async.bulk"), in either direction between the address global in global memory and the address shared in shared
// memory. The copy is cut at the lines of [LineBytes] of shared memory. Each piece is a request and moves the sectors
// that it touches. If the two addresses differ modulo [SectorBytes], pieces share sectors, which move once for each
// piece. Measured on an H200: 169 copies into shared memory and 139 out of it, of 16 to 16384 bytes, all reproduced. It
// returns [cute.CodeNotDivisible] for an address or size that is not a multiple of 16 bytes, [cute.CodeNegative] for a
// negative address, [cute.CodeOverflow] for an address beyond any memory, and [cute.CodeExtent] for a size that no
// shared memory has.
func BulkTraffic(shared, global, bytes int64) (Traffic, error) {
	if err := checkBulkCopy(shared, global, bytes); err != nil {
		return Traffic{}, err
	}
	t := Traffic{Bytes: bytes}
	for end := global + bytes; global < end; t.Requests++ {
		n := min(end-global, LineBytes-shared%LineBytes)
		sectors, lines := countTouched(global, n)
		t.Sectors += sectors
		t.Lines += lines
		shared, global = shared+n, global+n
	}
	return t, nil
}

// RemoteBulkTraffic returns the traffic of a bulk copy of the given number of bytes from address from in a block's
// shared memory to address to in the shared memory of another block of the same cluster. The copy is cut at the lines
// of [LineBytes] of both sides. Each piece moves the sectors that it touches at its destination, except that a piece of
// 32 bytes moves 2 sectors even if it is in one. Measured on an H200: 351 copies of 16 to 16384 bytes, all reproduced.
// It returns the errors of [BulkTraffic].
func RemoteBulkTraffic(to, from, bytes int64) (Traffic, error) {
	if err := checkBulkCopy(to, from, bytes); err != nil {
		return Traffic{}, err
	}
	t := Traffic{Bytes: bytes}
	for end := to + bytes; to < end; t.Requests++ {
		n := min(end-to, LineBytes-to%LineBytes, LineBytes-from%LineBytes)
		sectors, lines := countTouched(to, n)
		if n == SectorBytes {
			sectors = 2
		}
		t.Sectors += sectors
		t.Lines += lines
		to, from = to+n, from+n
	}
	return t, nil
}

// BulkBanks returns how often a bulk copy of the given number of bytes passes through the banks of a shared memory that
// it reads or writes: words is the number of its words of 4 bytes, and turns the number of words of the busiest bank.
// Each word passes once, wherever the copy begins, so no bank has a conflict. Timing agrees: accesses that keep one
// bank busy lose one wavefront for each turn of the copy in that bank, loads if the copy reads, stores if it writes.
// Accesses that use all banks at once lose more, one for every 43 to 107 bytes of 8,192, because a copy moves less than
// a wavefront at a time. Measured on an H200: the words of 297 copies, all reproduced. It returns
// [cute.CodeNotDivisible] and [cute.CodeExtent] as [BulkTraffic] does.
func BulkBanks(bytes int64) (words, turns int, err error) {
	if err := checkBulk(bytes); err != nil {
		return 0, 0, err
	}
	const bank, banks = 4, 32
	return int(bytes / bank), int((bytes + bank*banks - 1) / (bank * banks)), nil
}

// CopyTraffic returns the traffic of one request of cp.async.cg from global to shared memory. Lane l copies 16 bytes
// from global[l] to shared[l], or nothing if shared[l] is [Inactive]. If lanes share a destination, only the first one
// copies. A transfer moves a sector of global memory to a place of 32 bytes in shared memory, with one destination for
// each half of the sector. Each further destination is another transfer, and each transfer counts as a sector. So a
// warp moves 16 sectors if it copies 512 bytes to 512 contiguous bytes, and 32 sectors if it copies them to 32 rows.
// Measured on an H200: 240 single-warp copies, all reproduced. It returns [cute.CodeRank] for lists of different
// lengths, and the errors of [BulkTraffic] for addresses.
func CopyTraffic(shared, global []int64) (Traffic, error) {
	if len(shared) != len(global) || len(shared) > 32 {
		return Traffic{}, refuse(cute.CodeRank, "", "expected two addresses for each lane of a warp, found %d and %d",
			len(shared), len(global))
	}
	type way struct{ from, to int64 } // sectors
	transfers := map[way][2]int{}     // the numbers of transfers of each half
	written := map[int64]bool{}
	var sources []int64
	for l, at := range shared {
		if at == Inactive {
			continue
		}
		if err := checkBulkCopy(at, global[l], bulkBytes); err != nil {
			return Traffic{}, err
		}
		if written[at] {
			continue
		}
		written[at] = true
		sources = append(sources, global[l])
		w := way{global[l] / SectorBytes, at / SectorBytes}
		n := transfers[w]
		n[global[l]%SectorBytes/bulkBytes]++
		transfers[w] = n
	}
	t, err := RequestTraffic(sources, bulkBytes)
	if err != nil {
		return Traffic{}, err
	}
	t.Sectors = 0
	for _, n := range transfers {
		t.Sectors += max(n[0], n[1])
	}
	return t, nil
}

// RemotePackets returns the number of packets of one st.shared::cluster to another block. Lane l writes width bytes to
// addrs[l], or nothing if addrs[l] is [Inactive]. A packet has at most 16 bytes, and may omit some of them, so each
// half of a sector that is written takes one. But if two sectors that are adjacent among the written sectors of a line
// are both written whole, each takes only one packet. A packet takes 1.5 cycles, measured on an H200: of 4,048 stores
// of 8 to 128 bits 4,008 take that, or the time of the banks there if it is longer, to 6 % or 0.75 cycles, and at least
// 3 cycles for 64 bits and 5 for 128. The others take longer: 37 of 8 and 16 bits, whose lanes mostly want one bank,
// and 3 more. It returns the errors of [RequestTraffic].
func RemotePackets(addrs []int64, width int) (int, error) {
	if _, err := RequestTraffic(addrs, width); err != nil {
		return 0, err
	}
	written := map[int64]uint32{} // the bytes of each sector
	for _, a := range addrs {
		if a == Inactive {
			continue
		}
		for b := a; b < a+int64(width); b++ {
			written[b/SectorBytes] |= 1 << (b % SectorBytes)
		}
	}
	const low, whole = 1<<16 - 1, 1<<32 - 1
	packets := 0
	lines := map[int64]bool{}
	for s := range written {
		lines[s*SectorBytes/LineBytes] = true
	}
	for line := range lines {
		run := 0 // the length of a run of whole sectors
		for s := line * (LineBytes / SectorBytes); s < (line+1)*(LineBytes/SectorBytes); s++ {
			bytes, ok := written[s]
			if !ok {
				continue
			}
			if bytes == whole {
				packets++
				run++
				continue
			}
			if run == 1 {
				packets++
			}
			run = 0
			if bytes&low != 0 {
				packets++
			}
			if bytes&^low != 0 {
				packets++
			}
		}
		if run == 1 {
			packets++
		}
	}
	return packets, nil
}
