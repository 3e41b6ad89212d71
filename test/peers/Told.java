import java.util.HexFormat;

/** Tells the test what an SMSC was sent: one JSON object a line. */
final class Told {
    private Told() {}

    static synchronized void line(String kind, String... fields) {
        StringBuilder json = new StringBuilder("{\"kind\":\"" + kind + "\"");
        for (int i = 0; i < fields.length; i += 2) {
            json.append(",\"").append(fields[i]).append("\":\"").append(fields[i + 1].replace("\"", "\\\"")).append("\"");
        }
        System.out.println(json.append("}"));
        System.out.flush();
    }

    static String hex(byte[] octets) {
        return HexFormat.of().formatHex(octets);
    }

    /** `1400=31313031 1401=…`, in the order of the PDU. */
    static String tlv(int tag, byte[] value) {
        return HexFormat.of().toHexDigits((short) tag) + "=" + hex(value);
    }
}
