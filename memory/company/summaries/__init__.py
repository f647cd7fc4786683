"""Compressing a company's memory: docs/algorithms/company.md."""
