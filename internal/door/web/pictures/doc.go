// Package pictures compares what the page shows with brute force. The package contains only tests, which run the
// page's modules in node and check where elements are in each grid, their labels, the texts of the inspector, which
// cells are lit, and the result of a comparison.
package pictures
