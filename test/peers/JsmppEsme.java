import org.jsmpp.bean.*;
import org.jsmpp.session.*;

/** A customer of jsmpp (see smpp-customers.test.ts). */
public final class JsmppEsme extends Esme {
    private final MessageReceiverListener listener = new MessageReceiverListener() {
        @Override
        public void onAcceptDeliverSm(DeliverSm deliver) {
            try {
                if (MessageType.SMSC_DEL_RECEIPT.containedIn(deliver.getEsmClass())) {
                    DeliveryReceipt receipt = deliver.getShortMessageAsDeliveryReceipt();
                    Told.line("receipt", "id", receipt.getId(), "state", receipt.getFinalStatus().name());
                } else {
                    Told.line("text", "source", deliver.getSourceAddr(), "octets", Told.hex(deliver.getShortMessage()));
                }
            } catch (Exception failure) {
                Told.line("failed", "words", String.valueOf(failure));
            }
        }
        @Override
        public void onAcceptAlertNotification(AlertNotification alert) {}
        @Override
        public DataSmResult onAcceptDataSm(DataSm data, Session source) { return null; }
    };

    private JsmppEsme(String[] args) { super(args); }

    public static void main(String[] args) throws Exception { new JsmppEsme(args).run(); }

    @Override
    protected Link bind(Mode mode) throws Exception {
        SMPPSession session = new SMPPSession();
        session.setTransactionTimer(5_000);
        session.setMessageReceiverListener(listener);
        BindType type = mode == Mode.RECEIVER ? BindType.BIND_RX : mode == Mode.TRANSMITTER ? BindType.BIND_TX : BindType.BIND_TRX;
        session.connectAndBind("127.0.0.1", port, new BindParameter(type, systemId, password,
            "", TypeOfNumber.UNKNOWN, NumberingPlanIndicator.UNKNOWN, ""));
        return new Link() {
            @Override
            public boolean isUp() { return session.getSessionState().isBound(); }
            @Override
            public String submit(String key, byte[] octets, int esmClass) throws Exception {
                return session.submitShortMessage("", TypeOfNumber.NATIONAL, NumberingPlanIndicator.ISDN, "30001234",
                    TypeOfNumber.INTERNATIONAL, NumberingPlanIndicator.ISDN, "989121234500", new ESMClass(esmClass), (byte) 0, (byte) 0, "", "",
                    new RegisteredDelivery(SMSCDeliveryReceipt.SUCCESS_FAILURE), (byte) 0, new RawDataCoding((byte) 8), (byte) 0, octets,
                    new OptionalParameter.OctetString((short) 0x1500, key)).getMessageId();
            }
            @Override
            public void unbind() { session.unbindAndClose(); }
        };
    }
}
